"""The service's health: the processes' signs of life, the queues, readiness and metrics."""

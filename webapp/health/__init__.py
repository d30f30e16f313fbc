"""What runs and what waits: the processes' signs of life, the queues, readiness and metrics."""

"""The figures that this process has counted so far."""

from prometheus_client import REGISTRY


def value(name: str, **labels: str) -> float:
    """The sample of that name and those labels, and 0 if nothing was counted yet."""
    return REGISTRY.get_sample_value(name, labels) or 0

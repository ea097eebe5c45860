"""Timings never decide a test: property tests have no deadline."""

from hypothesis import HealthCheck, settings

settings.register_profile("no deadline", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no deadline")

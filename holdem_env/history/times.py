"""When a hand was played: PHH's fields `time`, `day`, `month`, `year` and `time_zone`, and datetimes.

phh.dumps(table, metadata=time_fields(datetime.now(UTC)))
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

__all__ = ["time_fields", "time_of"]

ZONES = {"ET": "America/New_York", "UTC": "UTC", "GMT": "UTC"}
"""The abbreviations that mean one zone alone, and its name in the tz database."""


def time_fields(when: datetime) -> dict[str, Any]:
    """The fields for a history file: time, day, month, year, and the zone of a datetime that has one.

    Seconds are whole. Zones other than UTC and those with a name of the tz database are written as UTC, and so is the
    second of two equal hours in autumn.

    >>> time_fields(datetime(2026, 1, 31, 20, 15, tzinfo=UTC))["time_zone"]
    'UTC'
    """
    zone = None if when.fold else getattr(when.tzinfo, "key", None)
    if when.tzinfo is not None and zone is None:
        when, zone = when.astimezone(UTC), "UTC"
    fields = {"time": time(when.hour, when.minute, when.second), "day": when.day, "month": when.month}
    return {**fields, "year": when.year, **({"time_zone": zone} if zone else {})}


def time_of(metadata: Mapping[str, Any]) -> datetime | None:
    """When a hand was played, by such fields of its metadata; None where the day is missing or does not exist.

    Without a time of day it is midnight; without a known zone the datetime has none: MSK and CET are unknown, ET is New
    York's.
    """
    moment = metadata.get("time")
    clock = moment if isinstance(moment, time) else time()
    try:
        year, month, day = (int(metadata[name]) for name in ("year", "month", "day"))
        zone = metadata.get("time_zone") or ZONES.get(str(metadata.get("time_zone_abbreviation")))
        return datetime.combine(date(year, month, day), clock, _zone(zone))
    except (KeyError, TypeError, ValueError):
        return None


def _zone(name: object) -> tzinfo | None:
    if name in ("UTC", "Etc/UTC", "GMT"):
        return UTC
    try:
        return ZoneInfo(name) if isinstance(name, str) and name else None
    except (ValueError, OSError, KeyError):  # ZoneInfoNotFoundError is a KeyError
        return None

"""No protection but a clock: every worker is started through ``timeout``. For trusted code only."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from nl2fix import Environment
from nl2fix.sandboxes.none import Unprotected
from nl2fix.sandboxes.sandbox import Launch, Process


class Timed(Unprotected):
    name = "acme-timed"

    def start(self, launch: Launch) -> Process:
        return super().start(replace(launch, command=["/usr/bin/timeout", "600", *launch.command]))


def make(options: Mapping[str, Any], environment: Environment) -> Timed:
    return Timed()

"""A model that answers at once: it ends every greeting with an exclamation mark, now and then."""

import json
from collections.abc import Iterable, Iterator

from nl2fix import Completion, Request


class Shout:
    name = "acme-shout"

    def complete(self, requests: Iterable[Request]) -> Iterator[Completion]:
        for request in requests:
            for sample in request.samples:
                code = request.problem.before.replace('"Hi"', '"Hi!"' if sample % 2 else '"Hi?"')
                yield Completion(request.problem.id, sample, request.attempt, text=json.dumps({"code": code}))

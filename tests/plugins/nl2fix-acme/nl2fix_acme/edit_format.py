"""Answers as JSON with a field ``code``."""

import json

from nl2fix import Candidate, Language, NoEdit, Problem


class Json:
    name = "acme-json"
    sees = "unit"
    shapes = ("chat",)
    tool = None
    ask = "Answer with `{{ entity }}` as JSON: an object with one field `code`."
    answer = '{"code": {{ fixed | json }}}'

    def extract(self, completion: str, problem: Problem, language: Language) -> Candidate:
        try:
            return Candidate(json.loads(completion)["code"])
        except (ValueError, KeyError, TypeError) as error:
            raise NoEdit("malformed", f"no JSON with a field code ({type(error).__name__})") from None

    def faults(self, completion: str, problem: Problem) -> frozenset[str]:
        return frozenset() if completion.startswith("{") else frozenset({"chatty"})

"""The title, the code, and nothing else."""

from nl2fix import Message, Problem, Prompt


class Terse:
    name = "acme-terse"

    def render(self, problem: Problem) -> Prompt:
        text = f'{problem.title}\n\n{problem.visible}\n\nAnswer with JSON: {{"code": …}}'
        return Prompt((Message("user", text),))

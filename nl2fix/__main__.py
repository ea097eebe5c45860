"""``python -m nl2fix`` is the ``nl2fix`` command."""

from nl2fix.cli.main import main

main()

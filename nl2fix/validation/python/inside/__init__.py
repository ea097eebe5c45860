"""What runs inside the sandbox: a fork server for Python programs of unknown origin.

Contract: the standard library of Python 3.9 or newer only. ``client`` sends the modules' text to the
interpreter, so nothing of nl2fix need be visible inside. ``server`` speaks frames (``frames``) on the
standard input and output it was started with. First comes ``hello`` with a nonce, which every answer
repeats. Then, for each program::

    ours   {"files", "edited", "run", "libraries", "cpu", "wall", "memory_mb", "pristine"}
    server {"event": "built", "sha256"}       hash of the edited files' code, lines apart
    ours   {"tests", "script"} or {}          what is hidden until the edited file was loaded, or no more
    server {"event": "end", "outcome", "stage", "message", "seconds", "clean", …}

Outcomes: ``passed``, ``failed``, ``exited`` (ended before the tests did), ``killed`` (by a signal nobody
inside may send), ``timeout``, ``uncompilable``, ``missing`` (a library), ``stopped``. Each program runs in
a forked child in its own session, without anything open but a channel to the server, behind a filter of
system calls that keeps it from the server (``shield``). Where ``pristine`` is true, it is a copy of the
server that forks the child, made for this program, in which no other has left anything. What the child
says of its tests is only believed when it also answers a challenge that it cannot foresee
(``nl2fix.validation.python.challenge``).
"""

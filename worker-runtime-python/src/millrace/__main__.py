"""Starts the process loop: ``python3 …/millrace/__main__.py SCRIPT_PATH``, or a template of such processes: ``--template …``.

The host starts it by path rather than by ``-m``. That saves the interpreter the import of ``runpy`` (about 3 ms). It also
saves the worker a ``PYTHONPATH`` that user code would inherit.
"""

import os
import sys

if __name__ == "__main__":
    package = os.path.dirname(os.path.abspath(__file__))
    if sys.path and sys.path[0] == package:
        del sys.path[0]  # Python put it there; as a search path it would offer our modules under wrong names.
    parent = os.path.dirname(package)
    if parent not in sys.path:
        sys.path.append(parent)

    arguments = sys.argv[1:]
    if arguments[:1] == ["--template"]:
        from millrace._template import serve

        sys.exit(serve(arguments[1:]))

    from millrace._process import run

    sys.exit(run(arguments))

"""Each job begins as the first one of its process did, whatever earlier ones have changed."""

from __future__ import annotations

import pytest
from conftest import Start
from runtime_process import printed

CHANGES = {
    "folder": ("os.chdir('/')", "os.getcwd()"),
    "deleted folder": (
        "d = tempfile.mkdtemp(); os.chdir(d); os.rmdir(d)",
        "os.getcwd()",
    ),
    "deleted home": ("shutil.rmtree(os.getcwd())", "os.getcwd()"),
    "changed variable": ("os.environ['HOME'] = '/nowhere'", "os.environ['HOME']"),
    "new variable": ("os.environ['LEFT'] = 'here'", "'LEFT' in os.environ or os.system('test -n \"$LEFT\"') == 0"),
    "removed variable": ("del os.environ['PATH']", "os.environ['PATH'], os.getenv('PATH')"),
    "replaced environment": ("os.environ = {}", "sorted(os.environ)"),
    "zone": ("os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()", "time.tzname, time.localtime(0).tm_hour"),
    "umask": ("os.umask(0o777)", "os.umask(os.umask(0))"),
    "recursion limit": ("sys.setrecursionlimit(200)", "sys.getrecursionlimit()"),
    "switch interval": ("sys.setswitchinterval(1)", "sys.getswitchinterval()"),
    "arguments": ("sys.argv.append('--debug')", "sys.argv[1:]"),
    "replaced arguments": ("sys.argv = ['x']", "sys.argv[1:]"),
    "search path": ("sys.path.insert(0, '/nowhere')", "'/nowhere' in sys.path"),
    "replaced search path": ("sys.path = []", "bool(sys.path)"),
    "trace": ("sys.settrace(lambda *_: None)", "sys.gettrace()"),
    "profile": ("sys.setprofile(lambda *_: None)", "sys.getprofile()"),
    "collector": ("gc.disable()", "gc.isenabled()"),
    "hook": ("sys.excepthook = print", "repr(sys.excepthook)"),
    "stdin": ("sys.stdin = None", "sys.stdin is None"),
    "signal": ("signal.signal(signal.SIGINT, signal.SIG_IGN)", "str(signal.getsignal(signal.SIGINT))"),
    "stop signal": ("signal.signal(signal.SIGTERM, signal.SIG_DFL)", "signal.getsignal(signal.SIGTERM) == signal.SIG_DFL"),
    "blocked signal": (
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})",
        "sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ()))",
    ),
    "timeout of sockets": ("socket.setdefaulttimeout(0.001)", "socket.getdefaulttimeout()"),
    "precision": ("decimal.getcontext().prec = 3", "str(decimal.Decimal(1) / 3)"),
    "new precision": ("decimal.setcontext(decimal.Context(prec=3))", "str(decimal.Decimal(1) / 3)"),
    "warnings": ("warnings.simplefilter('ignore')", "str(warnings.filters[0])"),
    "locale": ("locale.setlocale(locale.LC_NUMERIC, 'C.UTF-8')", "locale.setlocale(locale.LC_ALL)"),
    "level of the root logger": ("logging.getLogger().setLevel(10)", "logging.getLogger().level"),
    "all loggers": ("logging.disable(50)", "logging.root.manager.disable"),
    "handlers of the root logger": ("logging.basicConfig()", "len(logging.getLogger().handlers)"),
    "handlers of a logger": (
        "logging.getLogger('app').addHandler(logging.StreamHandler())",
        "len(logging.getLogger('app').handlers)",
    ),
    "context variable": ("VARIABLE.set('mine')", "VARIABLE.get('none')"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_each_job_begins_as_the_first_one(start: Start, what: str) -> None:
    change, look = CHANGES[what]
    process = start(f"""
        import contextvars, decimal, gc, locale, logging, os, shutil, signal, socket, sys, tempfile, time, warnings
        os.makedirs("work", exist_ok=True)
        os.chdir("work")
        VARIABLE = contextvars.ContextVar("variable")
        def main(change=False):
            if change:
                {change}
            return None if change else [{look}]
    """)
    first = process.result()

    process.result({"change": True})

    assert process.result() == first


def test_what_the_script_changes_while_it_is_loaded_holds_for_all_jobs(start: Start) -> None:
    process = start("""
        import decimal, os, sys
        os.environ["MODE"] = "fast"
        os.chdir("/")
        decimal.getcontext().prec = 3
        sys.path.append("/own")
        def main():
            found = os.environ["MODE"], os.getcwd(), str(decimal.Decimal(1) / 3), sys.path[-1]
            os.environ["MODE"] = "slow"
            return found
    """)

    assert [process.result() for _ in range(3)] == [["fast", "/", "0.333", "/own"]] * 3


def test_folders_of_modules_that_a_job_imports_stay_behind_the_others(start: Start) -> None:
    process = start("""
        import os, sys, tempfile
        folder = tempfile.mkdtemp()
        for name, text in (("first", f"import sys; sys.path.insert(0, {folder!r} + '/more')"), ("more/second", "")):
            os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
            with open(f"{folder}/{name}.py", "w") as file:
                file.write(text)
        sys.path.insert(0, folder)
        def main(step):
            if step == 1:
                import first
            else:
                import second
            return sys.path[0] == folder, sys.path.count(folder + "/more")
    """)
    process.result({"step": 1})

    assert process.result({"step": 2}) == [True, 1]


def test_temporary_files_lie_where_the_variable_says(start: Start) -> None:
    process = start("""
        import os, tempfile
        def main(folder=None):
            if folder:
                os.environ["TMPDIR"] = folder
                tempfile.tempdir = None
            return tempfile.gettempdir()
    """)
    process.result({"folder": str(process.script.parent)})

    assert process.result() != str(process.script.parent)


def test_variables_of_windmill_name_the_job(start: Start) -> None:
    process = start("""
        import os
        PREFIX = "WM_"
        def main():
            return {name[3:]: value for name, value in os.environ.items() if name.startswith(PREFIX)}
    """)

    ids = {"JOB_ID": "job-1", "WORKSPACE": "", "FLOW_JOB_ID": "run-1", "ROOT_FLOW_JOB_ID": "run-1", "FLOW_STEP_ID": "a[3]"}
    assert process.result(step="a[3]") == ids
    alone = {"JOB_ID": "job-2", "WORKSPACE": "", "FLOW_JOB_ID": "", "ROOT_FLOW_JOB_ID": "", "FLOW_STEP_ID": ""}
    assert process.result(step="") == alone


def test_scripts_that_do_not_know_windmill_get_no_variables_of_it(start: Start) -> None:
    process = start("""
        import os
        def main():
            return [name for name in os.environ if name[:2] == "WM"]
    """)

    assert process.result() == []


def test_a_logger_of_the_script_does_not_collect_handlers(start: Start) -> None:
    process = start("""
        import logging, sys
        def main():
            logger = logging.getLogger("orders")
            logger.addHandler(logging.StreamHandler(sys.stdout))
            logger.warning("paid")
    """)
    process.run()

    assert printed(process.run()) == "paid\n"


def test_a_module_that_a_job_has_broken_does_not_keep_others_from_running(start: Start) -> None:
    process = start("""
        import warnings
        def main(n):
            warnings.filters = None
            return n
    """)
    process.result({"n": 1})

    assert process.result({"n": 2}) == 2


@pytest.mark.parametrize(
    "seed",
    [
        "random.seed(1)",
        "random.seed(1); random.random()",
        "random.setstate(random.Random(1).getstate())",
        "from random import seed; seed(1)",
    ],
)
def test_a_job_cannot_foresee_the_random_numbers_of_the_next_one(start: Start, seed: str) -> None:
    process = start(f"""
        import random
        def main(seeds):
            if seeds:
                {seed}
                return [random.Random(1).random(), random.random()]
            return random.random()
    """)
    first = process.result({"seeds": True})

    assert process.result({"seeds": False}) not in first
    assert process.result({"seeds": True}) == first


def test_a_seed_of_the_script_holds_for_its_jobs(start: Start) -> None:
    process = start("""
        import random
        random.seed(1)
        def main():
            return random.random()
    """)

    numbers = [process.result() for _ in range(3)]

    import random

    generator = random.Random(1)
    assert numbers == [generator.random() for _ in range(3)]

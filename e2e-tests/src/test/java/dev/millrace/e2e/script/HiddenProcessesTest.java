package dev.millrace.e2e.script;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.SharedInstallation;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a script can see of its worker and of the processes of other scripts, although all have the same user. */
@ExtendWith(SharedInstallation.class)
final class HiddenProcessesTest {
    /** Tries every way to the memory of its worker, and to that of its siblings. */
    private static final String SPY = """
            import ctypes, os, signal, socket, time

            PTRACE_ATTACH = 16

            def main():
                worker = os.getppid()
                if is_python(worker):
                    worker = parent(worker)  # The template stands between them.
                # The template is one of them.
                siblings = [
                    pid for pid in pids()
                    if is_python(pid) and pid != os.getpid() and worker in (parent(pid), parent(parent(pid)))
                ]
                return {
                    "worker": [what for what in ("environ", "mem", "maps", "fd") if reads(worker, what)],
                    "traces": ctypes.CDLL(None).ptrace(PTRACE_ATTACH, worker, 0, 0) == 0,
                    "attaches": attaches(worker),
                    "secret arguments": "token" in arguments(worker).lower(),
                    "siblings": len(siblings) > 0,
                    "seen of siblings": [
                        what for pid in siblings for what in ("environ", "mem", "fd") if reads(pid, what)
                    ],
                    "sockets": [fd for fd in own_sockets() if socket.socket(fileno=os.dup(fd)).family != socket.AF_UNIX],
                    "channels": len(own_sockets()) <= 3,
                }

            def reads(pid, what):
                path = f"/proc/{pid}/{what}"
                try:
                    if what == "fd":
                        return len([os.readlink(f"{path}/{fd}") for fd in os.listdir(path)]) > 0
                    with open(path, "rb") as file:
                        return len(file.read(1)) > 0 if what != "mem" else True
                except OSError:
                    return False

            def attaches(pid):
                # As jcmd does to ask a JVM for a dump of its heap.
                wish, socket = f"/tmp/.attach_pid{pid}", f"/tmp/.java_pid{pid}"
                open(wish, "w").close()
                try:
                    os.kill(pid, signal.SIGQUIT)
                    end = time.monotonic() + 2
                    while time.monotonic() < end and not os.path.exists(socket):
                        time.sleep(0.05)
                    return os.path.exists(socket)
                finally:
                    os.unlink(wish)

            def pids():
                return [int(entry) for entry in os.listdir("/proc") if entry.isdecimal()]

            def stat(pid):
                try:
                    with open(f"/proc/{pid}/stat") as file:
                        return file.read()
                except OSError:
                    return "0 (gone) Z 0"

            def is_python(pid):
                return "(python" in stat(pid)

            def parent(pid):
                return int(stat(pid).rsplit(") ", 1)[1].split()[1])

            def arguments(pid):
                with open(f"/proc/{pid}/cmdline") as file:
                    return file.read()

            def own_sockets():
                return [fd for fd in map(int, os.listdir("/proc/self/fd")) if is_socket(fd)]

            def is_socket(fd):
                try:
                    return os.readlink(f"/proc/self/fd/{fd}").startswith("socket:")
                except OSError:
                    return False
            """;

    @Test
    void keepTheirMemoryFromScripts(Api api) {
        api.deployScript("hidden/sibling.py", "def main(): return 1");
        api.deployScript("hidden/spy.py", SPY);
        api.runToEnd(Map.of("target", Map.of("script", "hidden/sibling.py"), "input", Map.of()));

        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", "hidden/spy.py"), "input", Map.of()));

        assertThat(run.path("output").toString())
                .as("%s", run)
                .isEqualTo("{\"worker\":[],\"traces\":false,\"attaches\":false,\"secret arguments\":false,"
                        + "\"siblings\":true,\"seen of siblings\":[],\"sockets\":[],\"channels\":true}");
    }
}

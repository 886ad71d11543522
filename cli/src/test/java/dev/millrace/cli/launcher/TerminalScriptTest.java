package dev.millrace.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the launcher tells Java about the terminal, with and without one. */
class TerminalScriptTest {
    private static final String SCRIPT =
            ". src/launcher/terminal.sh; millrace_find_terminal; printf '<%s>' \"$terminal_flag\"";

    @Test
    void tellsTheSizeOfTheTerminal() throws Exception {
        String inTerminal = """
                import fcntl, os, pty, struct, sys, termios
                child, terminal = pty.fork()
                if child == 0:
                    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
                    os.execvp("sh", ["sh", "-c", sys.argv[1]])
                output = b""
                while not output.endswith(b">"):
                    output += os.read(terminal, 1024)
                print(output.decode())
                """;

        assertThat(run("python3", "-c", inTerminal, SCRIPT)).isEqualTo("<-Dmillrace.terminal=30x100>");
    }

    @Test
    void tellsNothingWhereOutputIsRead() throws Exception {
        assertThat(run("sh", "-c", SCRIPT)).isEqualTo("<>");
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.strip();
    }
}

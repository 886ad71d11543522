package dev.millrace.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class TerminalTest {
    /** Libraries log without our layout, and failing threads print their own stack traces. */
    @Test
    void showsNoControlCharacterOfWhatOthersPrintOnStandardError() {
        var shown = new ByteArrayOutputStream();
        PrintStream before = System.err;
        try {
            Terminal.over(OutputStream.nullOutputStream(), shown, 0, 80, false).guardStandardError();
            new ConsoleHandler().publish(new LogRecord(Level.SEVERE, "logged \u001b[2J"));
            new IllegalStateException("failed \u009b2J").printStackTrace();
        } finally {
            System.setErr(before);
        }

        assertThat(shown.toString(UTF_8))
                .contains("logged \\x1b[2J\n", "java.lang.IllegalStateException: failed \\x9b2J\n\tat ")
                .doesNotContain("\u001b", "\u009b");
    }
}

package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.worker.internal.secret.Masks;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class StderrTailTest {
    private final StderrTail tail = new StderrTail(new Masks());

    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        tail.add(bytes, bytes.length);
    }

    @Test
    void keepsWhatFits() {
        add("one ");
        add("two\n");

        assertThat(tail.text()).isEqualTo("one two");
    }

    @Test
    void keepsTheLastBytes() {
        add("a".repeat(StderrTail.TAIL_BYTES_MAX));
        add("bc");
        assertThat(tail.text()).hasSize(StderrTail.TAIL_BYTES_MAX).endsWith("abc");

        add("d".repeat(StderrTail.TAIL_BYTES_MAX + 5));
        assertThat(tail.text()).isEqualTo("d".repeat(StderrTail.TAIL_BYTES_MAX));
    }
}

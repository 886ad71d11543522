package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import org.junit.jupiter.api.Test;

class ProblemsTest {
    private static final Mark MARK = new Mark(2, 5);

    private final Problems problems = new Problems();

    @Test
    void reportsAnErrorOnceIfItsTextIsReadTwice() {
        problems.add(MARK, "steps[0].input", "The path is empty.", "Write a path.");
        problems.add(MARK, "steps[0].input", "The path is empty.", "Write a path.");

        assertThat(problems.inOrder()).hasSize(1);
    }

    @Test
    void reportsEachWarningOnce() {
        problems.warn(MARK, "steps[0].input", "The path is ignored.", "Remove it.");
        problems.warn(MARK, "steps[0].input", "The path is ignored.", "Remove it.");

        assertThat(problems.warningsInOrder()).hasSize(1);
    }

    @Test
    void tellsPlacesAndMessagesApart() {
        problems.add(MARK, "steps[0].input", "The path is empty.", "Write a path.");
        problems.add(MARK, "steps[0].output", "The path is empty.", "Write a path.");
        problems.add(MARK, "steps[0].input", "The path is too long.", "Write a shorter path.");
        problems.add(new Mark(3, 5), "steps[0].input", "The path is empty.", "Write a path.");

        assertThat(problems.inOrder()).hasSize(4);
    }
}

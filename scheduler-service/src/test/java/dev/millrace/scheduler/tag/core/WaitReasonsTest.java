package dev.millrace.scheduler.tag.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WaitReasonsTest {
    private static final TagPause PAUSE = new TagPause(
            "gpu",
            "ada",
            "driver update",
            Instant.parse("2026-01-01T00:00:00Z"),
            Optional.of(Instant.parse("2026-01-01T01:00:00Z")));
    private static final TagWorkers TWO_SLOTS = new TagWorkers(1, 2, AbsentWorkers.NONE);

    @Test
    void namesWhoPausedTheTagAndHowToResumeIt() {
        assertThat(of(3, 0, TWO_SLOTS, Optional.of(PAUSE)))
                .containsExactly("The tag \"gpu\" has been paused by ada since 2026-01-01T00:00:00Z,"
                        + " until 2026-01-01T01:00:00Z: driver update. Resume it with `millrace queues resume gpu`.");
    }

    @Test
    void alsoTellsThatNobodyWouldTakeJobsOfAPausedTag() {
        assertThat(of(3, 0, TagWorkers.NONE, Optional.of(PAUSE))).hasSize(2);
    }

    @Test
    void tellsWorkersThatAreMissingFullOrFaulty() {
        assertThat(of(3, 0, TagWorkers.NONE, Optional.empty()))
                .singleElement()
                .asString()
                .startsWith("No connected worker takes jobs with this tag. Start a worker that does");
        assertThat(of(3, 0, new TagWorkers(1, 0, new AbsentWorkers("\"w\": The disk is full.", "")), Optional.empty()))
                .singleElement()
                .asString()
                .endsWith("have paused because of a fault. \"w\": The disk is full.");
        assertThat(of(3, 2, TWO_SLOTS, Optional.empty()))
                .containsExactly("All 2 slots of the workers that take this tag are in use. More workers or slots make"
                        + " the queue shorter.");
        assertThat(of(3, 1, TWO_SLOTS, Optional.empty()))
                .singleElement()
                .asString()
                .startsWith("1 of 2 slots");
        assertThat(of(0, 2, TWO_SLOTS, Optional.of(PAUSE))).isEmpty();
    }

    private static List<String> of(int waiting, int running, TagWorkers workers, Optional<TagPause> pause) {
        return WaitReasons.of("gpu", waiting, running, workers, pause);
    }
}

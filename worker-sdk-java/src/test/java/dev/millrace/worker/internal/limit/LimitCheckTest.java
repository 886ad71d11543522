package dev.millrace.worker.internal.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.worker.JobLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LimitCheckTest {
    private static final Usage USE = new Usage(300L << 20, Duration.ofSeconds(20), 5);

    @Test
    void namesTheLimitAndTheUse() {
        assertThat(message(JobLimits.NONE.withMemoryBytes(256 << 20)))
                .startsWith("The job and the processes that it started used 300 MiB of memory,"
                        + " which is more than its limit `memory` of 256 MiB.");
        assertThat(message(JobLimits.NONE.withProcesses(4))).contains("had 5 processes", "limit `processes` of 4");
        assertThat(message(JobLimits.NONE.withCpu(Duration.ofSeconds(10))))
                .contains("used 15 s of CPU time", "limit `cpu` of 10 s");
    }

    @Test
    void allowsWhatIsAllowed() {
        assertThat(message(JobLimits.NONE)).isEmpty();
        assertThat(message(JobLimits.NONE
                        .withMemoryBytes(300L << 20)
                        .withProcesses(5)
                        .withCpu(Duration.ofSeconds(15))))
                .isEmpty();
    }

    @Test
    void writesSizesInWords() {
        assertThat(LimitCheck.inWords(512)).isEqualTo("512 bytes");
        assertThat(LimitCheck.inWords(1536)).isEqualTo("1.5 KiB");
        assertThat(LimitCheck.inWords(5L << 40)).isEqualTo("5120 GiB");
    }

    private static String message(JobLimits limits) {
        return LimitCheck.check(limits, new Usage(0, Duration.ofSeconds(5), 1), USE)
                .map(error -> error.getMessage())
                .orElse("");
    }
}

package dev.millrace.gateway.log;

import static dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDERR;
import static dev.millrace.proto.log.v1.LogChunk.Stream.STREAM_STDOUT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.log.v1.LogChunk;
import dev.millrace.proto.log.v1.TailLogsResponse;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SeparateLinesTest {
    @Test
    void endsTheLineOfAJobWhereAnotherOneFollows() {
        assertThat(text(chunk("a", 1, "one"), chunk("b", 1, "two"), chunk("c", 1, "three")))
                .isEqualTo("one\ntwo\nthree");
        assertThat(text(chunk("a", 1, "one\n"), chunk("b", 1, "two\n"))).isEqualTo("one\ntwo\n");
    }

    @Test
    void endsTheLineOfAnAttemptWhereTheNextOneFollows() {
        assertThat(text(chunk("a", 1, "one"), chunk("a", 2, "two"))).isEqualTo("one\ntwo");
    }

    @Test
    void endsTheLineOfAStreamWhereAnotherOneFollows() {
        assertThat(text(chunk("a", 1, "out"), chunk("a", STREAM_STDERR, 1, "err\n")))
                .isEqualTo("out\nerr\n");
    }

    @Test
    void leavesTheTextOfOneSourceAsItIs() {
        assertThat(text(chunk("a", 1, "o"), chunk("a", 1, ""), chunk("a", 1, "ne")))
                .isEqualTo("one");
        assertThat(text(chunk("a", 1, "one"), chunk("b", 1, ""), chunk("a", 1, "\n")))
                .isEqualTo("one\n");
    }

    private static String text(TailLogsResponse... chunks) {
        SeparateLines lines = new SeparateLines();
        return Arrays.stream(chunks)
                .map(chunk -> lines.apply(chunk).toStringUtf8())
                .collect(Collectors.joining());
    }

    private static TailLogsResponse chunk(String job, int attempt, String text) {
        return chunk(job, STREAM_STDOUT, attempt, text);
    }

    private static TailLogsResponse chunk(String job, LogChunk.Stream stream, int attempt, String text) {
        return TailLogsResponse.newBuilder()
                .setChunk(LogChunk.newBuilder()
                        .setJobId(job)
                        .setStream(stream)
                        .setAttempt(attempt)
                        .setText(text))
                .build();
    }
}

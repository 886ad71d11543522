package dev.millrace.scheduler.trace;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.RunId;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TraceProtosTest {
    private static final Span SPAN = Span.newBuilder()
            .setSpanId("00000000000000a1")
            .setParentSpanId("00000000000000a0")
            .setName("work")
            .setStartTime(Timestamp.newBuilder().setSeconds(10))
            .setEndTime(Timestamp.newBuilder().setSeconds(11))
            .addAttributes(SpanAttribute.newBuilder().setKey("n").setIntValue(3))
            .setScope("lib")
            .build();

    @Test
    void whatIsReportedComesBackTheSame() {
        TraceSpan read = TraceProtos.reported(List.of(SPAN), "w").getFirst();

        assertThat(read.worker()).isEqualTo("w");
        assertThat(TraceProtos.span(read))
                .isEqualTo(SPAN.toBuilder().setKind(Span.Kind.KIND_INTERNAL).build());
    }

    @Test
    void whatIsNoSpanIsLeftOut() {
        assertThat(TraceProtos.reported(
                        List.of(
                                SPAN.toBuilder().setSpanId("x").build(),
                                SPAN.toBuilder().setParentSpanId("").build(),
                                SPAN.toBuilder().setSpanId("0000000000000000").build(),
                                SPAN.toBuilder().clearEndTime().build(),
                                SPAN.toBuilder()
                                        .setStartTime(Timestamp.newBuilder().setSeconds(Long.MAX_VALUE))
                                        .build()),
                        "w"))
                .isEmpty();
    }

    @Test
    void whatIsReportedIsLimited() {
        Span wide = SPAN.toBuilder()
                .setName("x".repeat(1 << 20))
                .addAllAttributes(Collections.nCopies(
                        1_000,
                        SpanAttribute.newBuilder()
                                .setKey("k")
                                .setStringValue("v")
                                .build()))
                .build();

        List<TraceSpan> read = TraceProtos.reported(Collections.nCopies(5_000, wide), "w");

        assertThat(read).hasSize(1_000);
        assertThat(read.getFirst().name()).hasSizeLessThan(5_000);
        assertThat(read.getFirst().attributes().size()).isLessThanOrEqualTo(64);
    }

    @Test
    void keptSpansAreLimitedInBytes() {
        KeptSpans kept = new KeptSpans();
        var span = TraceProtos.reported(
                List.of(SPAN.toBuilder().setName("x".repeat(4_000)).build()), "w");
        var ids = new IdSource(() -> 1_000L, new Random(1));
        var first = ids.nextRun();
        kept.add(first, span);
        RunId last = first;
        for (int i = 0; i < 10_000; i++) {
            last = ids.nextRun();
            kept.add(last, span);
        }

        assertThat(kept.of(first)).isEmpty();
        assertThat(kept.of(last)).hasSize(1);
    }

    @Test
    void onlySomeTracesBeginInASecond() {
        long[] now = {0};
        TraceStarts starts = new TraceStarts(() -> now[0]);
        long begun =
                IntStream.range(0, 100).filter(_ -> starts.next().isPresent()).count();
        now[0] = 1_000_000_000L;

        assertThat(begun).isEqualTo(TraceStarts.PER_SECOND_MAX);
        assertThat(starts.next()).isPresent();
    }
}

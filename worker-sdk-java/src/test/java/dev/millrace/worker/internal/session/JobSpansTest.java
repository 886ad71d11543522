package dev.millrace.worker.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.proto.trace.v1.Span;
import dev.millrace.proto.trace.v1.SpanAttribute;
import dev.millrace.proto.trace.v1.SpanEvent;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.worker.internal.secret.Masks;
import dev.millrace.worker.internal.secret.core.TooManyPatternsException;
import java.util.List;
import org.junit.jupiter.api.Test;

class JobSpansTest {
    private static final String TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    private static final String SECRET = "correct horse";

    /** Programs write names of headers and the like into keys. */
    @Test
    void masksEachTextOfASpan() throws TooManyPatternsException {
        Masks masks = new Masks();
        masks.add(List.of(SECRET));
        JobSpans spans =
                JobSpans.of(Lease.newBuilder().setTraceparent(TRACEPARENT).build());
        SpanAttribute attribute = SpanAttribute.newBuilder()
                .setKey("key " + SECRET)
                .setStringValue("value " + SECRET)
                .build();

        spans.add(
                Span.newBuilder()
                        .setName("name " + SECRET)
                        .setScope("scope " + SECRET)
                        .setStatusMessage("status " + SECRET)
                        .addAttributes(attribute)
                        .addAttributes(SpanAttribute.newBuilder()
                                .setKey("number of " + SECRET)
                                .setIntValue(1))
                        .addEvents(SpanEvent.newBuilder()
                                .setName("event " + SECRET)
                                .addAttributes(attribute))
                        .build(),
                masks);

        JobResult.Builder result = JobResult.newBuilder();
        spans.addTo(result);
        assertThat(result.toString()).doesNotContain(SECRET).contains("key ***", "scope ***", "number of ***");
    }

    @Test
    void masksNumbersWithASecretInTheirDigits() throws TooManyPatternsException {
        Masks masks = new Masks();
        masks.add(List.of("4111222233334444", "271828.35"));
        JobSpans spans =
                JobSpans.of(Lease.newBuilder().setTraceparent(TRACEPARENT).build());

        spans.add(
                Span.newBuilder()
                        .addAttributes(SpanAttribute.newBuilder().setKey("card").setIntValue(4111222233334444L))
                        .addAttributes(
                                SpanAttribute.newBuilder().setKey("float").setDoubleValue(4111222233334444.0))
                        .addAttributes(
                                SpanAttribute.newBuilder().setKey("price").setDoubleValue(271828.35))
                        .addAttributes(
                                SpanAttribute.newBuilder().setKey("other").setIntValue(17))
                        .build(),
                masks);

        JobResult.Builder result = JobResult.newBuilder();
        spans.addTo(result);
        assertThat(result.getSpans(1).getAttributesList())
                .extracting(SpanAttribute::getStringValue, SpanAttribute::getIntValue)
                .containsExactly(tuple("***", 0L), tuple("***", 0L), tuple("***", 0L), tuple("", 17L));
    }
}

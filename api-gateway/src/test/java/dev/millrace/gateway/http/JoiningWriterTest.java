package dev.millrace.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JoiningWriterTest {

    private static final int EVENTS = 10_000;

    private final AtomicInteger messages = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final JoiningWriter writer = new JoiningWriter((sent, length) -> {
        messages.addAndGet(sent);
        bytes.addAndGet(length);
    });

    @Test
    void joinsWhatWaitsForTheSocket() throws Exception {
        writer.writeHeaders(ResponseHeaders.of(HttpStatus.OK));
        List<String> events = IntStream.range(0, EVENTS)
                .mapToObj(event -> "event " + event + "\n")
                .toList();

        events.forEach(event -> writer.write(HttpData.ofUtf8(event)));
        writer.close();

        List<HttpData> pieces = pieces();
        assertThat(text(pieces)).isEqualTo(String.join("", events));
        assertThat(pieces).hasSizeBetween(4, 8);
        assertThat(messages).hasValue(EVENTS);
        assertThat(bytes).hasValue(text(pieces).length());
    }

    @Test
    void sendsLargeDataAsTheyAreAndInOrder() throws Exception {
        writer.writeHeaders(ResponseHeaders.of(HttpStatus.OK));
        String large = "x".repeat(100_000);

        writer.write(HttpData.ofUtf8("first "));
        writer.write(HttpData.ofUtf8("small "));
        writer.write(HttpData.ofUtf8(large));
        writer.write(HttpData.ofUtf8(" last"));
        writer.close();

        assertThat(pieces()).extracting(HttpData::toStringUtf8).containsExactly("first ", "small ", large, " last");
        assertThat(messages).hasValue(4);
    }

    private List<HttpData> pieces() throws Exception {
        return writer.response().collect().get(10, TimeUnit.SECONDS).stream()
                .filter(HttpData.class::isInstance)
                .map(HttpData.class::cast)
                .toList();
    }

    private static String text(List<HttpData> pieces) {
        return pieces.stream().map(HttpData::toStringUtf8).collect(Collectors.joining());
    }
}

package dev.millrace.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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

    /** Such a listener asks for more, for which it may need what the other one holds while it writes. */
    @Test
    void aListenerMayWaitForSomebodyWhoWrites() throws Exception {
        var written = new CountDownLatch(2);
        var own = new AtomicReference<JoiningWriter>();
        var told = new JoiningWriter((_, _) -> {
            if (written.getCount() > 0) {
                CompletableFuture.runAsync(() -> own.get().write(HttpData.ofUtf8("other ")))
                        .orTimeout(60, TimeUnit.SECONDS)
                        .join();
                written.countDown();
            }
        });
        own.set(told);
        told.writeHeaders(ResponseHeaders.of(HttpStatus.OK));
        told.write(HttpData.ofUtf8("first "));
        told.write(HttpData.ofUtf8("second "));

        var received = told.response().collect();

        assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
        told.close();
        assertThat(text(data(received.get(60, TimeUnit.SECONDS)))).isEqualTo("first second other other ");
    }

    @Test
    void aListenerThatFailsBreaksTheAnswerOff() {
        var failing = new JoiningWriter((_, _) -> {
            throw new IllegalStateException("not counted");
        });
        failing.writeHeaders(ResponseHeaders.of(HttpStatus.OK));
        failing.write(HttpData.ofUtf8("first "));
        failing.write(HttpData.ofUtf8("second "));

        assertThat(failing.response().collect()).failsWithin(60, TimeUnit.SECONDS);
    }

    /** Many write at once; each of them writes in its own order, and nothing is lost. */
    @Test
    void keepsTheOrderOfEachWriter() throws Exception {
        int writers = 4;
        writer.writeHeaders(ResponseHeaders.of(HttpStatus.OK));
        var received = writer.response().collect();
        var done = new ArrayList<CompletableFuture<Void>>();
        for (int i = 0; i < writers; i++) {
            String name = Integer.toString(i);
            done.add(CompletableFuture.runAsync(() -> IntStream.range(0, EVENTS)
                    .forEach(event -> writer.write(HttpData.ofUtf8(name + " " + event + "\n")))));
        }
        CompletableFuture.allOf(done.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
        writer.close();

        List<String> lines =
                text(data(received.get(60, TimeUnit.SECONDS))).lines().toList();
        assertThat(lines).hasSize(writers * EVENTS);
        for (int i = 0; i < writers; i++) {
            String name = i + " ";
            assertThat(lines.stream().filter(line -> line.startsWith(name)))
                    .containsExactlyElementsOf(IntStream.range(0, EVENTS)
                            .mapToObj(event -> name + event)
                            .toList());
        }
        assertThat(messages).hasValue(writers * EVENTS);
    }

    private List<HttpData> pieces() throws Exception {
        return data(writer.response().collect().get(60, TimeUnit.SECONDS));
    }

    private static List<HttpData> data(List<HttpObject> answer) {
        return answer.stream()
                .filter(HttpData.class::isInstance)
                .map(HttpData.class::cast)
                .toList();
    }

    private static String text(List<HttpData> pieces) {
        return pieces.stream().map(HttpData::toStringUtf8).collect(Collectors.joining());
    }
}

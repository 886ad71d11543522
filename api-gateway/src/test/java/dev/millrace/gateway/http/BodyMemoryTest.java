package dev.millrace.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.server.ServiceRequestContext;
import dev.millrace.gateway.problem.ProblemException;
import dev.millrace.memory.MemoryBudget;
import dev.millrace.memory.MemoryPart;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who gets the room for bodies when there is not enough for all. */
class BodyMemoryTest {

    private static final int KIB = 1 << 10;
    private static final String STRANGER = "/stranger";
    private static final String RECOGNIZED = "/recognized";

    private final MemoryPart part = MemoryBudget.ofBytes(1_000 * KIB).part("requests", 1);
    private final AtomicLong nanos = new AtomicLong();
    private final BodyMemory memory =
            new BodyMemory(part, nanos::get, context -> context.path().equals(RECOGNIZED));

    private final class Sent {
        private final HttpRequestWriter request;
        private final CompletableFuture<HttpData> whole;

        Sent() {
            this(STRANGER);
        }

        Sent(String path) {
            request = HttpRequest.streaming(HttpMethod.POST, path);
            whole = memory.read(ServiceRequestContext.of(request), request);
        }

        Sent send(int kib) {
            request.write(HttpData.wrap(new byte[kib * KIB]));
            request.whenConsumed().exceptionally(_ -> null).join();
            return this;
        }

        Sent end() {
            request.close();
            return this;
        }
    }

    @Test
    void breaksOffABodyThatDoesNotEndIfAnotherOneNeedsItsRoom() {
        Sent withheld = new Sent().send(700);
        nanos.addAndGet(BodyMemory.PATIENCE.toNanos());

        Sent needy = new Sent().send(600).end();

        assertThat(needy.whole.join().length()).isEqualTo(600 * KIB);
        assertThatThrownBy(withheld.whole::join)
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().code()).isEqualTo("overloaded"));
        assertThat(part.reservedBytes()).isEqualTo(600 * KIB);
    }

    @Test
    void breaksOffTheLargestFirst() {
        Sent small = new Sent().send(100);
        Sent large = new Sent().send(500);
        nanos.addAndGet(BodyMemory.PATIENCE.toNanos());

        new Sent().send(400).end().whole.join();

        assertThat(large.whole).isCompletedExceptionally();
        assertThat(small.end().whole.join().length()).isEqualTo(100 * KIB);
    }

    @Test
    void breaksOffStrangersFirst() {
        Sent recognized = new Sent(RECOGNIZED).send(500);
        Sent stranger = new Sent(STRANGER).send(200);
        nanos.addAndGet(BodyMemory.PATIENCE.toNanos());

        new Sent().send(200).end().whole.join();

        assertThat(stranger.whole).isCompletedExceptionally();
        assertThat(recognized.end().whole.join().length()).isEqualTo(500 * KIB);
    }

    @Test
    void refusesABodyWhileAllOthersArriveInTime() {
        Sent arriving = new Sent().send(700);
        nanos.addAndGet(BodyMemory.PATIENCE.toNanos() - 1);

        Sent needy = new Sent().send(600);

        assertThatThrownBy(needy.whole::join).hasCauseInstanceOf(ProblemException.class);
        assertThat(arriving.end().whole.join().length()).isEqualTo(700 * KIB);
    }

    @Test
    void keepsBodiesThatHaveArrived() {
        Sent answered = new Sent().send(700).end();
        answered.whole.join();
        nanos.addAndGet(BodyMemory.PATIENCE.toNanos());

        Sent needy = new Sent().send(600);

        assertThatThrownBy(needy.whole::join).hasCauseInstanceOf(ProblemException.class);
    }
}

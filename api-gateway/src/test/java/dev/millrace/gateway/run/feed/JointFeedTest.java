package dev.millrace.gateway.run.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.proto.event.v1.FollowEventsResponse;
import dev.millrace.proto.event.v1.FollowRunsResponse;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JointFeedTest {
    private final FakeCall<FollowRunsResponse> runs = new FakeCall<>();
    private final FakeCall<FollowEventsResponse> events = new FakeCall<>();

    /** Without an end, the reader would get no further message and would not connect again. */
    @Test
    void aListenerThatFailsEndsTheFeed() {
        var reader = new FailingReader();
        var feed = JointFeed.open(JointPosition.of(""), runs::opened, events::opened, reader);
        feed.request(10);

        runs.tell(FollowRunsResponse.newBuilder().setPosition("r1").build());
        events.tell(FollowEventsResponse.newBuilder().setPosition("e1").build());
        runs.tell(FollowRunsResponse.newBuilder().setPosition("r2").build());

        assertThat(reader.ends).extracting(Status::getCode).containsExactly(Status.Code.INTERNAL);
        assertThat(reader.messages).isEqualTo(1);
        assertThat(runs.isCanceled).isTrue();
        assertThat(events.isCanceled).isTrue();
    }

    private static final class FailingReader extends ClientCall.Listener<Told> {
        private final List<Status> ends = new ArrayList<>();
        private int messages;

        @Override
        public void onMessage(Told message) {
            messages++;
            throw new IllegalStateException("not written");
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            ends.add(status);
            throw new IllegalStateException("not closed either");
        }
    }

    /** A call whose answers a test gives. */
    private static final class FakeCall<A> extends ClientCall<Object, A> {
        private @Nullable Listener<A> listener;
        private boolean isCanceled;

        ClientCall<?, A> opened(Listener<A> answers) {
            listener = answers;
            return this;
        }

        void tell(A answer) {
            var told = listener;
            if (told == null) {
                throw new AssertionError("The call has not been opened.");
            }
            told.onMessage(answer);
        }

        @Override
        public void start(Listener<A> answers, Metadata headers) {
            throw new IllegalStateException("The call has been opened.");
        }

        @Override
        public void request(int messages) {}

        @Override
        public void cancel(@Nullable String message, @Nullable Throwable cause) {
            isCanceled = true;
        }

        @Override
        public void halfClose() {}

        @Override
        public void sendMessage(Object message) {}
    }
}

package dev.millrace.contract;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Reads the body of a request again from its publisher. */
final class SentBody implements Flow.Subscriber<ByteBuffer> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<String> whole = new CompletableFuture<>();

    private SentBody() {}

    /** The body as text; empty if the request has none. */
    static String of(HttpRequest request) {
        if (request.bodyPublisher().isEmpty()) {
            return "";
        }
        var body = new SentBody();
        request.bodyPublisher().get().subscribe(body);
        return body.whole.join();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer part) {
        var copy = new byte[part.remaining()];
        part.duplicate().get(copy);
        bytes.writeBytes(copy);
    }

    @Override
    public void onError(Throwable failure) {
        whole.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        whole.complete(bytes.toString(StandardCharsets.UTF_8));
    }
}

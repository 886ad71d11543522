package dev.millrace.scheduler.access;

import io.grpc.ServerCall.Listener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the events of a call in their order until there is somebody who listens to them. */
final class PostponedListener<Q> extends Listener<Q> {
    private final List<Consumer<Listener<Q>>> waiting = new ArrayList<>();
    private @Nullable Listener<Q> listener;

    /** Passes all events to this listener, those that have waited and those to come. */
    synchronized void passTo(Listener<Q> found) {
        listener = found;
        waiting.forEach(event -> event.accept(found));
        waiting.clear();
    }

    private synchronized void pass(Consumer<Listener<Q>> event) {
        if (listener == null) {
            waiting.add(event);
        } else {
            event.accept(listener);
        }
    }

    @Override
    public void onMessage(Q message) {
        pass(served -> served.onMessage(message));
    }

    @Override
    public void onHalfClose() {
        pass(Listener::onHalfClose);
    }

    @Override
    public void onCancel() {
        pass(Listener::onCancel);
    }

    @Override
    public void onComplete() {
        pass(Listener::onComplete);
    }

    @Override
    public void onReady() {
        pass(Listener::onReady);
    }
}

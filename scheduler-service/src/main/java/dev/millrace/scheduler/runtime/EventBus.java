package dev.millrace.scheduler.runtime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Delivers events within a scheduler to the subscribers of their class.
 *
 * <p>The bus is created before its users, so that publishers and subscribers need no references to one another.
 * Thread-safe.
 */
public final class EventBus {
    private final Map<Class<?>, List<Consumer<Object>>> subscribers = new ConcurrentHashMap<>();

    /**
     * Subscribes to the events of a class, without its subclasses.
     *
     * @param subscriber runs on the publisher's thread, which may be a lane's: it must return at once and must not
     *     throw
     */
    public <E> void subscribe(Class<E> type, Consumer<? super E> subscriber) {
        subscribers
                .computeIfAbsent(type, _ -> new CopyOnWriteArrayList<>())
                .add(event -> subscriber.accept(type.cast(event)));
    }

    /** Passes the event to the subscribers of its class. An event without subscribers is dropped. */
    public void publish(Object event) {
        for (Consumer<Object> subscriber : subscribers.getOrDefault(event.getClass(), List.of())) {
            subscriber.accept(event);
        }
    }
}

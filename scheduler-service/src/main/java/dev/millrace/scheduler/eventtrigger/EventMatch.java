package dev.millrace.scheduler.eventtrigger;

import dev.millrace.scheduler.event.Subscription;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.trigger.NewStart;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.Trigger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides which events start a run of a trigger, and with which input. */
final class EventMatch {
    private final EventTriggerStore.Listener listener;
    private final EventTriggerSettings settings;
    private final EventFilter filter;
    private final Supplier<Optional<Set<String>>> visible;
    private @Nullable EventFilter seen;

    /**
     * Matches the events of one look. Not thread-safe.
     *
     * @param visible folders whose events the author of the trigger may see, absent for all; asked for at the first event
     *     that matches otherwise
     */
    EventMatch(EventTriggerStore.Listener listener, Supplier<Optional<Set<String>>> visible) {
        this.visible = visible;
        this.listener = listener;
        this.settings = EventTriggerProtos.settings(listener.trigger().spec().settings());
        this.filter = new EventFilter(
                settings.types(), settings.folder(), settings.path(), Optional.empty(), Optional.empty());
    }

    List<String> types() {
        return settings.types();
    }

    boolean matches(Subscription.Read event) {
        return event.stored().transaction() >= listener.since()
                && filter.matches(event.stored())
                && seen().matches(event.stored());
    }

    private EventFilter seen() {
        if (seen == null) {
            seen = filter.seenIn(visible.get());
        }
        return seen;
    }

    /** The start of the run for an event, or its refusal. */
    EventTriggerStore.LinkedStart start(Subscription.Read event, Chains chains, RunId id) {
        Trigger trigger = listener.trigger();
        String occurrence = "event " + event.stored().id();
        Optional<RunId> run = event.stored().run();
        Optional<String> refusal = chains.refusal(run);
        if (refusal.isPresent()) {
            return new EventTriggerStore.LinkedStart(
                    new NewStart(
                            trigger.id(),
                            trigger.key().workspace(),
                            id,
                            occurrence,
                            event.stored().time(),
                            StartState.REFUSED,
                            Optional.empty(),
                            Optional.empty(),
                            refusal.get()),
                    Optional.empty());
        }
        return new EventTriggerStore.LinkedStart(
                NewStart.of(trigger, id, occurrence, event.stored().time(), input(event)),
                Optional.of(chains.add(run, id)));
    }

    private Optional<Json> input(Subscription.Read event) {
        if (settings.eventInput().isEmpty()) {
            return Optional.empty();
        }
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put(settings.eventInput(), JsonValue.of(event.cloudEvent()));
        members.putAll(JsonValue.of(listener.trigger().spec().run().input()).members());
        return Optional.of(JsonValue.ofMembers(members).json());
    }
}

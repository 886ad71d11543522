package dev.millrace.scheduler.inbound;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.trigger.DeclaredKind.SettingsCheck;
import dev.millrace.scheduler.trigger.Trigger;
import dev.millrace.scheduler.trigger.TriggerKey;
import dev.millrace.scheduler.trigger.TriggerKind;
import dev.millrace.scheduler.trigger.TriggerSpec;
import dev.millrace.scheduler.trigger.Triggers;
import java.util.EnumMap;
import java.util.Map;

/** The triggers of all kinds of events from outside. Blocking and thread-safe. */
public final class InboundTriggers {
    private final Map<TriggerKind, Kind> kinds = new EnumMap<>(TriggerKind.class);

    /** @param changed called after each change of a trigger, so that this scheduler heeds it at once */
    private record Kind(Triggers triggers, SettingsCheck check, Runnable changed) {
        Kind {
            requireNonNull(triggers, "triggers");
            requireNonNull(check, "check");
            requireNonNull(changed, "changed");
        }
    }

    /** Adds a kind. */
    public InboundTriggers with(TriggerKind kind, Triggers triggers, SettingsCheck check, Runnable changed) {
        kinds.put(kind, new Kind(triggers, check, changed));
        return this;
    }

    Triggers of(TriggerKind kind) {
        return kind(kind).triggers();
    }

    TriggerKey key(Workspace workspace, TriggerKind kind, String path) {
        return of(kind).key(workspace, path);
    }

    Trigger put(TriggerKey key, TriggerSpec spec, Access by) {
        kind(key.kind()).check().require(spec.settings(), key, by);
        return noted(kind(key.kind()).triggers().put(key, spec, by));
    }

    Trigger pause(TriggerKey key, Access by) {
        return noted(of(key.kind()).pause(key, by));
    }

    Trigger resume(TriggerKey key, Access by) {
        Kind kind = kind(key.kind());
        kind.check().require(kind.triggers().get(key).spec().settings(), key, by);
        return noted(kind.triggers().resume(key, by));
    }

    Trigger delete(TriggerKey key) {
        return noted(of(key.kind()).delete(key));
    }

    private Trigger noted(Trigger trigger) {
        kind(trigger.key().kind()).changed().run();
        return trigger;
    }

    private Kind kind(TriggerKind kind) {
        Kind found = kinds.get(kind);
        if (found == null) {
            throw MillraceException.invalid("kind", kind.text() + " is no kind of trigger that this server has");
        }
        return found;
    }
}

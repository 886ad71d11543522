package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Resolution;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import dev.millrace.scheduler.flow.core.definition.WaitTimes;
import dev.millrace.scheduler.queue.core.JobError;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The resolved condition of a wait. */
sealed interface WaitResolution {
    record Until(StartWait.Until until) implements WaitResolution {}

    /** The condition could not be resolved. */
    record Broken(JobError error) implements WaitResolution {}

    static WaitResolution of(WaitFor wait, Bindings bindings) {
        return switch (wait) {
            case WaitFor.Delay delay -> delay(bindings.resolve(delay.duration()));
            case WaitFor.Until until -> until(bindings.resolve(until.moment()));
            case WaitFor.Events events -> events(events, bindings);
        };
    }

    private static WaitResolution delay(Resolution resolution) {
        if (!(resolution instanceof Resolution.Resolved resolved)) {
            return unresolved("duration", resolution);
        }
        Optional<Duration> duration = WaitTimes.duration(resolved.value());
        return duration.isPresent()
                ? new Until(new StartWait.Until.Passed(duration.get()))
                : new Broken(FlowErrors.noDuration(resolved.value()));
    }

    private static WaitResolution until(Resolution resolution) {
        if (!(resolution instanceof Resolution.Resolved resolved)) {
            return unresolved("moment", resolution);
        }
        Optional<Instant> moment = WaitTimes.moment(resolved.value());
        return moment.isPresent()
                ? new Until(new StartWait.Until.Reached(moment.get()))
                : new Broken(FlowErrors.noMoment(resolved.value()));
    }

    private static WaitResolution events(WaitFor.Events events, Bindings bindings) {
        if (!(bindings.resolve(events.name()) instanceof Resolution.Resolved name)) {
            return unresolved("name of the signal", bindings.resolve(events.name()));
        }
        if (name.value().kind() != JsonValue.Kind.STRING) {
            return new Broken(FlowErrors.wrongType(
                    "name of the signal", "a string", name.value().kind().phrase()));
        }
        if (!(bindings.resolve(events.details()) instanceof Resolution.Resolved details)) {
            return unresolved("details", bindings.resolve(events.details()));
        }
        return new Until(new StartWait.Until.Events(
                events.kind(),
                name.value().string(),
                events.required(),
                details.value().json(),
                events.timeLimit(),
                events.onTimeout(),
                events.onDenial()));
    }

    private static WaitResolution unresolved(String what, Resolution resolution) {
        return switch (resolution) {
            case Resolution.Unresolved unresolved -> new Broken(FlowErrors.unresolved(what, unresolved));
            case Resolution.Resolved _ -> throw new IllegalArgumentException("The " + what + " has a value.");
        };
    }
}

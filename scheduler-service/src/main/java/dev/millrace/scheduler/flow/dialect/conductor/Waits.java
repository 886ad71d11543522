package dev.millrace.scheduler.flow.dialect.conductor;

import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.flow.core.definition.WaitFor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Compiler of WAIT and HUMAN tasks. */
final class Waits {
    static final String DURATION = "duration";
    static final String UNTIL = "until";

    private final Compiling compiling;
    private final Level level;

    Waits(Compiling compiling, Level level) {
        this.compiling = compiling;
        this.level = level;
    }

    StepAction action(TaskNode task) {
        Params params = compiling.params(task, compiling.references(task, level));
        return new StepAction.Wait(task.type() == TaskType.HUMAN ? human(task, params) : until(task, params));
    }

    private WaitFor until(TaskNode task, Params params) {
        Optional<Template> duration = given(params, DURATION);
        Optional<Template> until = given(params, UNTIL);
        if (duration.isPresent() && until.isPresent()) {
            compiling
                    .reading()
                    .problem(
                            task.mark(),
                            task.fields().path("inputParameters"),
                            "Task \"" + task.reference() + "\" waits both for a duration and until a moment.",
                            "Keep one of duration and until.");
        }
        if (duration.isPresent()) {
            return new WaitFor.Delay(duration.get());
        }
        return until.<WaitFor>map(WaitFor.Until::new)
                .orElseGet(() -> events(EventKind.SIGNAL, ownName(task), Template.Constant.NULL));
    }

    /**
     * Makes the wait of a dynamically forked WAIT task for a signal. The name of the signal is the reference name of
     * that task, which is known only at run time.
     */
    StepAction forkedSignal(Expression reference) {
        return new StepAction.Wait(events(EventKind.SIGNAL, forkedName(reference), Template.Constant.NULL));
    }

    /** Makes the wait of a dynamically forked HUMAN task. */
    StepAction forkedHuman(Expression reference, Template title, Template input) {
        Map<String, Template> details = new LinkedHashMap<>();
        details.put("title", title);
        details.put("input", input);
        return new StepAction.Wait(events(EventKind.HUMAN, forkedName(reference), Template.object(details)));
    }

    private Template forkedName(Expression reference) {
        return name(new Template.Part.Embedded(reference), 1);
    }

    /** A parameter that is present and is not an empty constant. */
    private static Optional<Template> given(Params params, String name) {
        return params.find(name)
                .filter(template -> !(template instanceof Template.Constant constant)
                        || constant.value().isTruthy());
    }

    private WaitFor human(TaskNode task, Params params) {
        Map<String, Template> details = new LinkedHashMap<>();
        details.put("title", new Template.Constant(JsonValue.ofString(task.name())));
        task.fields()
                .text("description")
                .ifPresent(text -> details.put("description", new Template.Constant(JsonValue.ofString(text))));
        details.put("input", params.template());
        return events(EventKind.HUMAN, ownName(task), Template.object(details));
    }

    /**
     * Makes the wait for the signal that completes a task after its work. The signal has the reference name of the
     * task; the timeout is that of the task.
     */
    StepAction completion(TaskNode task) {
        TaskSettings settings = new TaskSettings(
                compiling.reading(), task, compiling.definitions().applied(task));
        return new StepAction.Wait(events(EventKind.SIGNAL, ownName(task), Template.Constant.NULL, settings.timeout()));
    }

    private static WaitFor events(EventKind kind, Template name, Template details) {
        return events(kind, name, details, Optional.empty());
    }

    private static WaitFor events(EventKind kind, Template name, Template details, Optional<Duration> limit) {
        return new WaitFor.Events(kind, name, 1, details, limit, WaitEnd.FAIL, WaitEnd.FAIL);
    }

    private Template ownName(TaskNode task) {
        return name(new Template.Part.Literal(task.reference()), 0);
    }

    /**
     * Makes the name of an event: the reference name, followed inside loops by the numbers of the iterations, as in
     * {@code approve__2}.
     *
     * @param inside number of loops between the wait and its list whose iterations are left out
     */
    private Template name(Template.Part reference, int inside) {
        int loops = 0;
        for (@Nullable Level around = level; around != null; around = around.outer()) {
            TaskNode container = around.container();
            loops += container != null && container.type() == TaskType.DO_WHILE ? 1 : 0;
        }
        if (loops == 0) {
            return switch (reference) {
                case Template.Part.Literal(String text) -> new Template.Constant(JsonValue.ofString(text));
                case Template.Part.Embedded(Expression expression) -> new Template.Whole(expression);
            };
        }
        List<Template.Part> parts = new ArrayList<>();
        parts.add(reference);
        for (int outward = loops - 1; outward >= 0; outward--) {
            parts.add(new Template.Part.Literal("__"));
            parts.add(new Template.Part.Embedded(new IterationNumber(outward + inside)));
        }
        return new Template.Text(parts);
    }
}

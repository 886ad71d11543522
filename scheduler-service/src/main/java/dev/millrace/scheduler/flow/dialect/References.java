package dev.millrace.scheduler.flow.dialect;

import dev.millrace.scheduler.expression.Computed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowDefinition;
import dev.millrace.scheduler.flow.core.definition.InputReference;
import dev.millrace.scheduler.flow.core.definition.Step;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The secrets and resources to which a flow refers, flows inside it included, and the references that stand where no
 * worker could put a value in their place.
 *
 * <p>It visits the components of all records of a definition, whatever they are. So no dialect and no new kind of step
 * can let a reference into a condition or an output.
 */
public final class References {
    private final Set<Root.Reference> named = new LinkedHashSet<>();
    private final Set<String> misplaced = new LinkedHashSet<>();
    private String owner = "The flow";

    private References() {}

    /** What the inputs of the tasks of a flow refer to. */
    public static Set<Root.Reference> named(FlowDefinition flow) {
        return of(flow).named;
    }

    /** A problem for each reference at another place. */
    static List<FlowProblem> problems(FlowDefinition flow) {
        return of(flow).misplaced.stream()
                .map(message -> new FlowProblem(
                        0,
                        0,
                        "",
                        message,
                        "Use it in the input of a step that runs a script or handler, alone or beside literal text:"
                                + " only workers get its value."))
                .toList();
    }

    private static References of(FlowDefinition flow) {
        References references = new References();
        references.visit(flow);
        return references;
    }

    private void visit(@Nullable Object part) {
        switch (part) {
            case Template template -> template.expressions().forEach(this::refuse);
            case Expression expression -> refuse(expression);
            case StepAction.Task task -> {
                input(task.input());
                visit(task.target());
                visit(task.options());
            }
            case Step step -> {
                String outer = owner;
                owner = "Step \"" + step.id() + "\"";
                components(step);
                owner = outer;
            }
            case Optional<?> some -> some.ifPresent(this::visit);
            case Collection<?> all -> all.forEach(this::visit);
            case Map<?, ?> map -> map.values().forEach(this::visit);
            case Record other -> components(other);
            case null, default -> {}
        }
    }

    private void components(Record part) {
        for (RecordComponent component : part.getClass().getRecordComponents()) {
            try {
                // Expressions of dialects are records of which nobody outside of their packages knows.
                component.getAccessor().setAccessible(true);
                visit(component.getAccessor().invoke(part));
            } catch (IllegalAccessException | InvocationTargetException closed) {
                throw new IllegalStateException(
                        component + " of a definition cannot be read: make its record public", closed);
            }
        }
    }

    private void input(Template input) {
        InputReference.of(input).forEach(reference -> reference.named().forEach(named::add));
        input.expressions().stream()
                .filter(expression -> !InputReference.isReference(expression))
                .forEach(this::refuse);
    }

    private void refuse(Expression expression) {
        switch (expression) {
            case Path path -> {
                if (path.root() instanceof Root.Reference reference) {
                    misplaced.add(owner + " refers to " + reference + " where it has no value.");
                }
            }
            case Computed computed -> {
                computed.paths().forEach(this::refuse);
                if (computed instanceof Record composed) {
                    components(composed);
                }
            }
        }
    }
}

package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Path;
import dev.millrace.scheduler.expression.Root;
import dev.millrace.scheduler.expression.Segment;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.gotemplate.GoNames;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.SourceNode.Mark;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Data collected while one definition is read, and resolver of the names in its templates. */
final class Reading implements GoNames {
    private final Problems problems;
    private final List<String> vars;
    private final Set<String> scriptPaths = new LinkedHashSet<>();
    private List<String> tasks = List.of();

    Reading(Problems problems, List<String> vars) {
        this.problems = problems;
        this.vars = vars;
    }

    Problems problems() {
        return problems;
    }

    void problem(Mark mark, String path, String message, String remedy) {
        problems.add(mark, path, message, remedy);
    }

    void useScript(String path) {
        scriptPaths.add(path);
    }

    List<String> scriptPaths() {
        return List.copyOf(scriptPaths);
    }

    /** Sets the tasks that may write shared data. */
    void noteTasks(List<String> ids) {
        tasks = ids;
    }

    SharedData sharedData() {
        return new SharedData(tasks);
    }

    /** Attaches to a template the source from which it was read, so that it can be printed. */
    Template named(String source, Template text) {
        return text instanceof Template.Whole whole
                ? new Template.Whole(new TextOfTask(source, vars, tasks, whole.expression()))
                : text;
    }

    /** Finds a variable of the flow. */
    @Override
    public Optional<Expression> variable(String name) {
        return vars.contains(name) ? Optional.of(input(name)) : Optional.empty();
    }

    /** Finds {@code .vars}, which is {@code {NAME: {"Value": …}}}, or {@code .shareData}. */
    @Override
    public Optional<Expression> field(String name) {
        return switch (name) {
            case "vars" -> {
                Map<String, Template> values = new LinkedHashMap<>();
                for (String variable : vars) {
                    values.put(variable, Template.object(Map.of("Value", new Template.Whole(input(variable)))));
                }
                yield Optional.of(new Composed(Template.object(values)));
            }
            case "shareData" -> Optional.of(sharedData());
            default -> Optional.empty();
        };
    }

    private static Expression input(String name) {
        return new Path(new Root.Inputs(), List.of(new Segment(name, -1, false)));
    }
}

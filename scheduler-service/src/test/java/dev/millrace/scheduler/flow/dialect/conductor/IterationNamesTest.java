package dev.millrace.scheduler.flow.dialect.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowCompiler;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tasks of iterations are named by their loops' numbers, as in {@code task__2}; no other task may have such a name. */
class IterationNamesTest {
    private static final List<String> NAMES = List.of(
            "x",
            "x__1",
            "x__2",
            "x__1__1",
            "x__2__1",
            "x__1__1__1",
            "x__0",
            "x__01",
            "x_1",
            "x___1",
            "x__1_1",
            "x__1x");
    private static final int LOOPS_MAX = 2;
    private static final int ITERATIONS = 2;

    /** A task below some loops. */
    private record Task(String name, int loops) {
        /** The names that the task has in some iterations: without numbers, with that of its own loop, and with all. */
        Set<String> namesInIterations() {
            Set<String> names = new HashSet<>(Set.of(name));
            Set<String> longest = Set.of(name);
            for (int loop = 0; loop < loops; loop++) {
                Set<String> longer = new HashSet<>();
                for (String shorter : longest) {
                    for (int number = 1; number <= ITERATIONS; number++) {
                        longer.add(shorter + "__" + number);
                    }
                }
                names.addAll(longer);
                longest = longer;
            }
            return names;
        }

        String json() {
            String json = simple(name);
            for (int loop = 0; loop < loops; loop++) {
                json = """
                        {"name": "l", "taskReferenceName": "loop-%d-of-%s", "type": "DO_WHILE", "loopCondition": "false",
                         "loopOver": [%s]}""".formatted(loop, name, json);
            }
            return json;
        }
    }

    @Test
    void acceptsTwoTasksIfNoIterationOfOneHasANameOfTheOther() {
        int accepted = 0;
        for (Task first : tasks()) {
            for (Task second : tasks()) {
                if (first.name.equals(second.name)) {
                    continue;
                }
                Set<String> common = first.namesInIterations();
                common.retainAll(second.namesInIterations());
                boolean isAccepted = compiles(first, second);
                assertThat(isAccepted)
                        .as("%s beside %s: %s", first, second, common)
                        .isEqualTo(common.isEmpty());
                accepted += isAccepted ? 1 : 0;
            }
        }
        assertThat(accepted).isPositive();
    }

    private static List<Task> tasks() {
        return NAMES.stream()
                .flatMap(name -> IntStream.rangeClosed(0, LOOPS_MAX).mapToObj(loops -> new Task(name, loops)))
                .toList();
    }

    private static boolean compiles(Task first, Task second) {
        String definition = "{\"name\": \"w\", \"tasks\": [" + first.json() + ", " + second.json() + "]}";
        Compilation compilation =
                FlowCompiler.compile(new FlowSource("flow.json", Optional.of("conductor"), definition));
        return compilation instanceof Compilation.Compiled;
    }

    private static String simple(String name) {
        return "{\"name\": \"t\", \"taskReferenceName\": \"" + name + "\"}";
    }
}

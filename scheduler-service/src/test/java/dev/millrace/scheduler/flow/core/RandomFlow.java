package dev.millrace.scheduler.flow.core;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Makes valid flows at random: sequences, graphs, loops, switches, nested, with expressions that now and then miss. */
final class RandomFlow {
    static final String SCRIPT = "s.py";
    static final String INPUT = "{\"n\":3,\"items\":[1,\"two\",{\"k\":[3]}],\"mode\":\"fast\"}";

    private static final int NESTING_MAX = 3;
    private static final int STEPS_MAX = 5;

    private final Random random;
    private int ids;

    RandomFlow(Random random) {
        this.random = random;
    }

    FlowDefinition next() {
        return new FlowDefinition("", "", List.of(), list(1, new Visible(List.of(), false)));
    }

    /** What expressions may read somewhere. */
    private record Visible(List<String> steps, boolean loop) {
        Visible with(Set<String> more) {
            List<String> all = new ArrayList<>(steps);
            all.addAll(more);
            return new Visible(all, loop);
        }

        Visible inLoop() {
            return new Visible(steps, true);
        }
    }

    private StepList list(int nesting, Visible visible) {
        List<Step> steps = new ArrayList<>();
        Map<String, Set<String>> before = new LinkedHashMap<>();
        int size = random.nextInt(STEPS_MAX + 1);
        for (int i = 0; i < size; i++) {
            List<String> needs = needs(steps);
            Set<String> ended = new LinkedHashSet<>(needs);
            needs.forEach(need -> ended.addAll(before.getOrDefault(need, Set.of())));
            String id = "s" + ids++;
            steps.add(new Step(id, needs, action(nesting, visible.with(ended))));
            before.put(id, ended);
        }
        Optional<Template> output = chance(30) ? Optional.of(value(visible.with(before.keySet()))) : Optional.empty();
        return new StepList(steps, output);
    }

    private List<String> needs(List<Step> earlier) {
        if (earlier.isEmpty() || chance(20)) {
            return List.of();
        }
        if (chance(60)) {
            return List.of(earlier.getLast().id());
        }
        return earlier.stream().filter(step -> chance(50)).map(Step::id).toList();
    }

    private StepAction action(int nesting, Visible visible) {
        int roll = nesting == NESTING_MAX ? 0 : random.nextInt(100);
        if (roll < 55) {
            return task(visible);
        }
        if (roll < 80) {
            return loop(nesting, visible);
        }
        return choice(nesting, visible);
    }

    private StepAction.Task task(Visible visible) {
        Map<String, Template> input = new LinkedHashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            input.put("p" + i, value(visible));
        }
        return new StepAction.Task(
                new StepAction.TaskTarget.ScriptPath(SCRIPT), Template.object(input), StepAction.TaskOptions.DEFAULT);
    }

    private StepAction loop(int nesting, Visible visible) {
        int parallelism = 1 + random.nextInt(3);
        if (chance(30)) {
            StepList body = new StepList(
                    List.of(new Step("single" + ids++, List.of(), task(visible.inLoop()))), Optional.empty());
            return new StepAction.ForEach(items(visible), parallelism, body, true);
        }
        return new StepAction.ForEach(items(visible), parallelism, list(nesting + 1, visible.inLoop()), false);
    }

    private Template items(Visible visible) {
        return switch (random.nextInt(visible.steps().isEmpty() ? 5 : 6)) {
            case 0 -> template("${{ inputs.items }}");
            case 5 -> template("${{ steps." + pick(visible.steps()) + ".result }}");
            default -> Template.array(numbers(random.nextInt(5)));
        };
    }

    private static List<Template> numbers(int size) {
        List<Template> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            numbers.add(new Template.Constant(JsonValue.of(i)));
        }
        return numbers;
    }

    private StepAction choice(int nesting, Visible visible) {
        List<StepAction.Case> cases = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            StepAction.Test test =
                    chance(50) ? new StepAction.Test.Equals(value(visible)) : new StepAction.Test.When(value(visible));
            cases.add(new StepAction.Case(test, list(nesting + 1, visible)));
        }
        Optional<StepList> otherwise = chance(60) ? Optional.of(list(nesting + 1, visible)) : Optional.empty();
        return new StepAction.Switch(Optional.of(value(visible)), cases, otherwise);
    }

    private Template value(Visible visible) {
        int roll = random.nextInt(100);
        if (roll < 40 && !visible.steps().isEmpty()) {
            String step = "steps." + pick(visible.steps()) + ".result";
            return template(
                    chance(70)
                            ? "${{ " + step + " }}"
                            : chance(85) ? "${{ " + step + "?.k }}" : "${{ " + step + ".k }}");
        }
        if (roll < 60 && visible.loop()) {
            return template(chance(50) ? "${{ item }}" : "${{ index }}");
        }
        return switch (random.nextInt(5)) {
            case 0 -> template("${{ inputs.mode }}");
            case 1 -> template("n=${{ inputs.n }} ${{ run.id }}");
            case 2 -> new Template.Constant(JsonValue.ofString("fast"));
            case 3 -> template(chance(10) ? "${{ inputs.absent }}" : "${{ inputs.items[0] }}");
            default -> new Template.Constant(JsonValue.of(random.nextInt(3)));
        };
    }

    private static Template template(String text) {
        return switch (Template.read(text, MillraceLanguage.INSTANCE)) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> throw new AssertionError(unreadable.message());
        };
    }

    private String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}

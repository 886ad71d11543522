package dev.millrace.scheduler.flow.core.machine;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.javascript.MillraceLanguage;
import dev.millrace.scheduler.flow.core.definition.StepPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** The values and conditions of a {@link RandomFlow}. Some of them read values that do not exist. */
final class RandomValues {
    private final Random random;
    private final boolean limited;

    RandomValues(Random random) {
        this.random = random;
        this.limited = chance(40);
    }

    /** Whether steps of the flow have limits; such steps do not keep to one worker. */
    boolean limited() {
        return limited;
    }

    int nextInt(int bound) {
        return random.nextInt(bound);
    }

    /** Seconds to wait before a step; sometimes zero, or not a number. */
    Template delay(Visible visible) {
        Template computed = value(visible);
        // A constant that is not a duration would make the definition invalid.
        return chance(90) || computed instanceof Template.Constant
                ? new Template.Constant(JsonValue.of(chance(70) ? 3 : 0))
                : computed;
    }

    Template error(Visible visible) {
        Template message = value(visible);
        return chance(50) ? message : Template.object(Map.of("message", message, "result", Model.result()));
    }

    StepPolicy.Extent extent(Visible visible) {
        List<StepPolicy.Extent> extents = visible.extents();
        return extents.get(random.nextInt(extents.size()));
    }

    /** A condition on a result, which may also read earlier results. */
    Template condition(Visible visible) {
        int roll = random.nextInt(100);
        if (roll < 35) {
            return Model.result();
        }
        return roll < 60 ? new Template.Constant(JsonValue.TRUE) : value(visible);
    }

    Template name(Visible visible) {
        return visible.steps().isEmpty() || chance(50)
                ? template("k${{ index }}")
                : template("${{ steps." + pick(visible.steps()) + ".result }}-${{ index }}");
    }

    /** Maximum number of iterations in progress at a time; sometimes not a number. */
    Template parallelism(Visible visible) {
        Template value = value(visible);
        return chance(70) || value instanceof Template.Constant
                ? template(visible.loop() && chance(50) ? "${{ index }}" : "${{ inputs.n }}")
                : value;
    }

    Template items(Visible visible) {
        return switch (random.nextInt(visible.steps().isEmpty() ? 5 : 6)) {
            case 0 -> template("${{ inputs.items }}");
            case 5 -> template("${{ steps." + pick(visible.steps()) + ".result }}");
            case 1, 2 -> Template.array(named(random.nextInt(5)));
            default -> Template.array(numbers(random.nextInt(5)));
        };
    }

    /** Items that have names and settings, like the items of dynamic forks. */
    List<Template> named(int size) {
        List<Template> named = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            named.add(new Template.Constant(
                    JsonValue.of("{\"ref\":\"t" + i + "\",\"optional\":" + chance(50) + overrides() + "}")));
        }
        return named;
    }

    private String overrides() {
        return switch (random.nextInt(6)) {
            case 0 -> ",\"overrides\":{\"timeout\":7,\"retry\":{\"phases\":[{\"max_retries\":2}]}}";
            case 1 -> ",\"overrides\":{\"timeout\":8}";
            case 2 -> limited ? ",\"overrides\":{\"limit\":{\"key\":\"" + RandomFlow.OWN_LIMIT + "\",\"max\":2}}" : "";
            case 3 -> chance(20) ? ",\"overrides\":{\"timeout\":\"soon\"}" : ",\"overrides\":null";
            default -> "";
        };
    }

    static List<Template> numbers(int size) {
        List<Template> numbers = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            numbers.add(new Template.Constant(JsonValue.of(i)));
        }
        return numbers;
    }

    Template value(Visible visible) {
        int roll = random.nextInt(100);
        if (roll < 40 && !visible.steps().isEmpty()) {
            String step = "steps." + pick(visible.steps()) + ".result";
            return template(
                    chance(70)
                            ? "${{ " + step + " }}"
                            : chance(97) ? "${{ " + step + "?.k }}" : "${{ " + step + ".k }}");
        }
        if (roll < 60 && visible.loop()) {
            return template(chance(50) ? "${{ item }}" : "${{ index }}");
        }
        return switch (random.nextInt(5)) {
            case 0 -> template("${{ inputs.mode }}");
            case 1 -> template("n=${{ inputs.n }} ${{ run.id }}");
            case 2 -> new Template.Constant(JsonValue.ofString("fast"));
            case 3 -> template(chance(3) ? "${{ inputs.absent }}" : "${{ inputs.items[0] }}");
            default -> new Template.Constant(JsonValue.of(random.nextInt(3)));
        };
    }

    static Template template(String text) {
        return template(text, MillraceLanguage.INSTANCE);
    }

    static Template template(String text, MillraceLanguage language) {
        return switch (Template.read(text, language)) {
            case TemplateReading.Read read -> read.template();
            case TemplateReading.Unreadable unreadable -> throw new AssertionError(unreadable.message());
        };
    }

    String pick(List<String> from) {
        return from.get(random.nextInt(from.size()));
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }
}

package dev.millrace.scheduler.flow.dialect.fastflow;

import dev.millrace.scheduler.expression.Arguments;
import dev.millrace.scheduler.expression.Composed;
import dev.millrace.scheduler.expression.Expression;
import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.expression.TemplateReading;
import dev.millrace.scheduler.expression.gotemplate.GoTemplates;
import dev.millrace.scheduler.flow.dialect.Problems;
import dev.millrace.scheduler.flow.dialect.fastflow.PreCheck.Act;
import java.util.Optional;

/**
 * Function family {@code fastflow}: lets expressions of the dialect {@code millrace} decide about tasks as Fastflow
 * does.
 */
public final class FastflowFunctions {
    static final String FAMILY = "fastflow";

    private FastflowFunctions() {}

    /** Returns the expression of a call; empty if the family has no function with this name. */
    public static Optional<Expression> call(String name, Arguments given) {
        return switch (name) {
            case "shared" -> Optional.of(new SharedData(given.texts(0)));
            case "failed" -> Optional.of(new FailedNeed(given.texts(0)));
            case "left_out" ->
                Optional.of(new Omission(
                        given.texts(0),
                        PreCheckJson.read(given.constant(4)),
                        given.word(2, Act.class),
                        given.flag(3),
                        new SharedData(given.texts(1))));
            case "text" -> Optional.of(text(given));
            default -> Optional.empty();
        };
    }

    private static Expression text(Arguments given) {
        Reading names = new Reading(new Problems(), given.texts(1));
        names.noteTasks(given.texts(2));
        return switch (GoTemplates.read(given.text(0), names)) {
            case TemplateReading.Read(Template.Whole read) ->
                new TextOfTask(given.text(0), given.texts(1), given.texts(2), read.expression());
            case TemplateReading.Read read -> new Composed(read.template());
            case TemplateReading.Unreadable unreadable ->
                throw new IllegalArgumentException(unreadable.message() + " " + unreadable.remedy());
        };
    }
}

package dev.millrace.bench.report;

import dev.millrace.bench.measure.Figures;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Results of one run of the benchmarks as Markdown. */
final class ResultTable {
    private static final double SMALL = 100;
    /** Name of the figure that says what a system stores of a job; prefixed for systems other than Millrace. */
    private static final String KEEPS = "keeps";

    private ResultTable() {}

    static String of(Environment environment, List<Figures> measured) {
        var text = new StringBuilder("# Results\n\n");
        text.append("Written by `./millrace bench all`: commit `%s`, %s, %d processors, Postgres %s, Java %s.\n\n"
                .formatted(
                        environment.commit(),
                        environment.startedAt(),
                        environment.processors(),
                        environment.postgres(),
                        environment.jdk()));
        targets(text, measured);
        otherSystems(text, measured);
        text.append("\n![Figures compared with their targets](targets.svg)\n\n")
                .append("![Jobs and steps a second](throughput.svg)\n\n")
                .append("![Milliseconds](latency.svg)\n\n")
                .append("![CPU for 1,000 steps](cpu.svg)\n");
        for (Figures figures : measured) {
            text.append("\n## ").append(figures.workload()).append("\n\n| figure | value |\n| --- | ---: |\n");
            for (Map.Entry<String, Object> figure : figures.values().entrySet()) {
                text.append("| `%s` | %s |\n".formatted(figure.getKey(), value(figure.getValue())));
            }
        }
        return text.toString();
    }

    private static void targets(StringBuilder text, List<Figures> measured) {
        text.append("| workload | figure | must | aim | measured | reached | of raw Postgres |\n");
        text.append("| --- | --- | ---: | ---: | ---: | --- | ---: |\n");
        for (Target target : Target.ALL) {
            OptionalDouble value = target.measured(measured);
            String sign = target.lowerIsBetter() ? "≤ " : "≥ ";
            text.append("| `%s` | %s | %s | %s | %s | %s | %s |\n"
                    .formatted(
                            target.workload(),
                            target.label(),
                            target.must() > 0 ? sign + withUnit(target.must(), target) : "",
                            target.aim().isPresent()
                                    ? sign + withUnit(target.aim().getAsDouble(), target)
                                    : "",
                            value.isPresent() ? withUnit(value.getAsDouble(), target) : "not measured",
                            value.isPresent()
                                    ? target.reached(value.getAsDouble()).orElse("no")
                                    : "",
                            ratio(target, measured)));
        }
    }

    /** Lists what other systems reached with the same work, and what each stores of a job. */
    private static void otherSystems(StringBuilder text, List<Figures> measured) {
        text.append("\n| workload | system | figures | keeps |\n| --- | --- | --- | --- |\n");
        for (Figures figures : measured) {
            figures.values().forEach((name, value) -> {
                if (name.equals(KEEPS)) {
                    text.append("| `%s` | Millrace | see above | %s |\n".formatted(figures.workload(), value));
                } else if (name.endsWith("_" + KEEPS)) {
                    String system = name.substring(0, name.length() - KEEPS.length());
                    text.append("| `%s` | %s | %s | %s |\n"
                            .formatted(
                                    figures.workload(),
                                    system.replace('_', ' ').strip(),
                                    figuresOf(system, figures),
                                    value));
                }
            });
        }
    }

    private static String figuresOf(String system, Figures figures) {
        return figures.values().entrySet().stream()
                .filter(figure -> figure.getKey().startsWith(system) && figure.getValue() instanceof Number)
                .map(figure ->
                        figure.getKey().substring(system.length()).replace('_', ' ') + " " + value(figure.getValue()))
                .collect(Collectors.joining("; "));
    }

    private static String ratio(Target target, List<Figures> measured) {
        return measured.stream()
                .filter(figures -> figures.workload().equals(target.workload())
                        && !target.figure().equals("pg_ratio"))
                .flatMap(figures -> figures.find("pg_ratio").stream().boxed())
                .map(ResultTable::number)
                .findFirst()
                .orElse("");
    }

    private static String withUnit(double value, Target target) {
        String unit = target.unit();
        return number(value) + (unit.isEmpty() || unit.startsWith("/") ? unit : " " + unit);
    }

    private static String value(Object value) {
        return value instanceof Number number ? number(number.doubleValue()) : value.toString();
    }

    /** Prints numbers from 100 on as integers, smaller ones with significant decimals. */
    static String number(double value) {
        if (value == Math.rint(value) || Math.abs(value) >= SMALL) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        return String.format(Locale.ROOT, "%.3f", value).replaceAll("0+$", "");
    }
}

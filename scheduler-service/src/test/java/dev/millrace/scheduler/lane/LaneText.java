package dev.millrace.scheduler.lane;

import static java.util.Objects.requireNonNull;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * SQL text that lanes send, read from a constant of a class of the scheduler. The constant is a {@link RowsSql}, each
 * form of which is a text, or a {@link LaneQuery}.
 *
 * @param name name of the constant, with its class
 */
record LaneText(String name, String sql) {
    private static final Pattern PARAMETER = Pattern.compile("\\?");
    /** Rows as {@link RowsSql} writes them: the part with the parameters, and the names of the columns. */
    private static final Pattern ROWS =
            Pattern.compile("(?:unnest\\(|\\(values \\()((?:[^()]|\\[])*\\?[^()]*)\\)+ as \\w+\\(([^)]*)\\)");
    /** The text before a parameter that is compared with a column. */
    private static final Pattern COMPARED =
            Pattern.compile("(\\w+)\\)? *(?:=|<>|<=|>=|<|>|is distinct from) *(?:any|all)? *\\(?$");

    /** Finds all texts in the classes of the scheduler. */
    static Stream<LaneText> all() {
        return new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests())
                        .importPackages("dev.millrace.scheduler")
                        .stream()
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                        .flatMap(field -> textsOf(field.reflect()));
    }

    private static Stream<LaneText> textsOf(Field field) {
        String name = field.getDeclaringClass().getSimpleName() + "." + field.getName();
        if (field.getType().equals(RowsSql.class)) {
            RowsSql sql = (RowsSql) constant(field);
            return Stream.of(
                    new LaneText(name + " of rows", sql.ofRows()), new LaneText(name + " of one row", sql.ofOneRow()));
        }
        return field.getType().equals(LaneQuery.class)
                ? Stream.of(new LaneText(name, ((LaneQuery) constant(field)).sql()))
                : Stream.empty();
    }

    private static Object constant(Field field) {
        try {
            field.setAccessible(true);
            return requireNonNull(field.get(null));
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** The text with numbered parameters, such as {@code $1}. */
    String numbered() {
        AtomicInteger count = new AtomicInteger();
        return PARAMETER.matcher(sql).replaceAll(_ -> "\\$" + count.incrementAndGet());
    }

    /**
     * The name of each parameter: its column of the rows, or the column with which it is compared, or an empty text.
     */
    List<String> parameters() {
        List<String> names = new ArrayList<>();
        List<String> ofRows = new ArrayList<>();
        Matcher rows = ROWS.matcher(sql);
        Matcher parameter = PARAMETER.matcher(sql);
        int rowsEnd = 0;
        while (parameter.find()) {
            while (parameter.start() >= rowsEnd && rows.find()) {
                rowsEnd = rows.end();
                ofRows = new ArrayList<>(Arrays.asList(rows.group(2).split(", ")));
                while (parameter.start() < rows.start()) {
                    names.add(comparedWith(parameter.start()));
                    if (!parameter.find()) {
                        return names;
                    }
                }
            }
            names.add(parameter.start() < rowsEnd ? ofRows.removeFirst() : comparedWith(parameter.start()));
        }
        return names;
    }

    private String comparedWith(int parameter) {
        Matcher compared = COMPARED.matcher(sql.substring(0, parameter));
        return compared.find() ? compared.group(1) : "";
    }

    @Override
    public String toString() {
        return name;
    }
}

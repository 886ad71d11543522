package dev.millrace.cli.definition;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the files beside a script that it seems to import. They are not sent with the script. */
final class ImportsBeside {
    private static final Pattern PYTHON =
            Pattern.compile("(?m)^[ \\t]*(?:from[ \\t]+\\.[ \\t]+import|from|import)[ \\t]+\\.?(\\w+)");
    private static final Pattern DENO = Pattern.compile("\\b(?:from|import)\\s*\\(?\\s*[\"'](\\.{1,2}/[^\"']+)[\"']");

    private ImportsBeside() {}

    /** The files as the script names them, without duplicates. */
    static List<String> of(Path script, String content) {
        Stream<String> names = script.toString().endsWith(".py")
                ? all(PYTHON, content).flatMap(name -> Stream.of(name + ".py", name + "/__init__.py"))
                : all(DENO, content);
        return names.filter(name -> Files.isRegularFile(script.resolveSibling(name)))
                .distinct()
                .toList();
    }

    private static Stream<String> all(Pattern imports, String content) {
        return imports.matcher(content).results().map(match -> match.group(1));
    }
}

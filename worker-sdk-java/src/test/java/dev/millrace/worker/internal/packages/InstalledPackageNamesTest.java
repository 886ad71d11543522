package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The table of names holds for each package that an interpreter has: none of its modules would be taken from a stranger's
 * package.
 *
 * <p>{@code -Dmillrace.test.names-python=FOLDER/bin/python} looks at the packages of another interpreter, for example of a
 * virtual environment with all packages of a company.
 */
@Tag("nightly")
final class InstalledPackageNamesTest {
    private static final String PYTHON = System.getProperty("millrace.test.names-python", "python3");

    /** Modules that a package of their name has, too, whoever brings them here. */
    private static final Set<String> OF_BOTH = Set.of("griffe", "multipart", "opencensus", "py", "pynvml");

    /** Prints each module with its package. A folder that several packages share is no module, but those below it are. */
    private static final String LIST = """
            import collections, importlib.metadata
            files = {}
            owners = collections.defaultdict(set)
            for found in importlib.metadata.distributions():
                package = found.metadata["Name"]
                files[package] = [file for file in found.files or () if file.suffix in (".py", ".so")]
                for file in files[package]:
                    if file.name == "__init__.py":
                        owners[file.parts[:-1]].add(package)
            for package, all in files.items():
                for file in all:
                    parts = (*file.parts[:-1], file.name.split(".")[0])
                    for end in range(1, len(parts) + 1):
                        if not parts[end - 1].isidentifier() or parts[end - 1].startswith("_"):
                            break
                        if end == len(parts) or len(owners[parts[:end]]) == 1:
                            print(".".join(parts[:end]), package)
                            break
            """;

    /** Folders that packages install beside their modules by mistake. */
    private static final Set<String> NO_MODULES = Set.of(
            "test", "tests", "testing", "doc", "docs", "example", "examples", "benchmark", "benchmarks", "scripts");

    @Test
    void takeNoStrangersPackageForAModuleThatIsInstalled() throws Exception {
        Map<String, Set<String>> packages = installed();
        assertThat(packages).as("modules of %s", PYTHON).isNotEmpty();

        List<String> wrong = new ArrayList<>();
        packages.forEach((module, owners) -> {
            boolean isByRule = PackageNames.of(module) instanceof PackageGuess.Known known
                    && known.name().equals(PackageNames.head(module));
            if (isByRule && !owners.contains(normalized(PackageNames.head(module)))) {
                wrong.add(module + "=" + owners.iterator().next());
            }
        });

        assertThat(wrong)
                .as("entries that package-names.properties lacks: look at each package before you add it")
                .isEmpty();
    }

    private static Map<String, Set<String>> installed() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(PYTHON, "-I", "-c", LIST)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("exit code of %s", PYTHON).isZero();
        Map<String, Set<String>> packages = new TreeMap<>();
        for (String line : printed.lines().toList()) {
            String[] pair = line.split(" ");
            packages.computeIfAbsent(pair[0], unused -> new TreeSet<>()).add(normalized(pair[1]));
        }
        packages.keySet()
                .removeIf(module -> NO_MODULES.contains(PackageNames.head(module)) || OF_BOTH.contains(module));
        return packages;
    }

    private static String normalized(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }
}

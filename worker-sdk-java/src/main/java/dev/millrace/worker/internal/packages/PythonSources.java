package dev.millrace.worker.internal.packages;

import static java.util.Objects.requireNonNull;

import dev.millrace.text.script.PythonModule;
import dev.millrace.text.script.WindmillHeader;
import dev.millrace.text.script.WindmillLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a version of a script says about its packages.
 *
 * @param declaration where it lists its packages; empty if they are to be inferred from imports
 * @param texts the script and the modules that come with it
 * @param own names of the modules and packages that come with it, which are no packages of an index
 */
public record PythonSources(Optional<PackageDeclaration> declaration, List<String> texts, Set<String> own) {
    private static final String SOURCE = ".py";

    public PythonSources {
        texts = List.copyOf(texts);
        own = Set.copyOf(own);
    }

    /**
     * Reads the sources of a script.
     *
     * @param tree folder of all its files; empty if there is only the script
     */
    public static PythonSources of(Path script, Optional<Path> tree) throws IOException {
        String source = Files.readString(script);
        List<String> texts = new ArrayList<>(List.of(source));
        Set<String> own = new TreeSet<>();
        if (tree.isPresent()) {
            Path folder = requireNonNull(script.getParent());
            own.addAll(modules(folder));
            own.addAll(modules(tree.get()));
            for (Path file : filesOf(tree.get())) {
                if (file.toString().endsWith(SOURCE) && !file.equals(script)) {
                    texts.add(Files.readString(file));
                }
            }
        }
        return new PythonSources(declaration(script, source), texts, own);
    }

    /** An exported lock has exact versions of all packages, so it counts before what a person has written. */
    private static Optional<PackageDeclaration> declaration(Path script, String source) throws IOException {
        Path lock = Path.of(WindmillLock.pathFor(script.toString()));
        if (Files.isRegularFile(lock)) {
            Optional<List<String>> locked = WindmillLock.python(Files.readString(lock));
            if (locked.isPresent()) {
                return locked.map(PackageDeclaration.Listed::new);
            }
        }
        if (ImportScan.declaresPackages(source)) {
            return Optional.of(new PackageDeclaration.InFile(script));
        }
        Optional<List<String>> listed = WindmillHeader.of(source).requirements();
        return listed.isPresent()
                ? listed.map(PackageDeclaration.Listed::new)
                : Stream.of("requirements.txt", "pyproject.toml")
                        .map(script::resolveSibling)
                        .filter(Files::isRegularFile)
                        .<PackageDeclaration>map(PackageDeclaration.InFile::new)
                        .findFirst();
    }

    /** Names of what is in a folder, as an import writes them. */
    private static Set<String> modules(Path folder) throws IOException {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> entries = Files.list(folder)) {
            entries.forEach(entry -> {
                String name = entry.getFileName().toString();
                if (Files.isDirectory(entry)) {
                    names.add(name);
                } else if (name.endsWith(SOURCE) && !importsItself(entry)) {
                    names.add(name.substring(0, name.length() - SOURCE.length()));
                }
            });
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return names;
    }

    /** A file that imports a package of its name is not what that name means. */
    private static boolean importsItself(Path file) {
        try {
            return PythonModule.importsItself(file.getFileName().toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> filesOf(Path tree) throws IOException {
        try (Stream<Path> files = Files.walk(tree)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}

package dev.millrace.worker.internal.packages;

import dev.millrace.worker.internal.runtime.FileTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What packages need to know of a Python interpreter. Blocking and thread-safe. */
final class PythonInterpreter {
    private static final String FACTS = """
            import pkgutil, sys
            print('python%d.%d' % sys.version_info[:2])
            print(' '.join(sorted({*sys.stdlib_module_names, *sys.builtin_module_names, 'millrace', 'wmill', '__future__'})))
            print(' '.join(sorted({m.name for m in pkgutil.iter_modules() if m.name.isidentifier()})))
            """;

    /** Prints what source from standard input imports: not the modules whose absence it provides for. */
    private static final String IMPORTS = """
            import ast, sys
            def provided_for(node):
                names = [n for h in node.handlers for n in (h.type.elts if isinstance(h.type, ast.Tuple) else [h.type])]
                return any(n is None or getattr(n, 'id', '') in ('ImportError', 'ModuleNotFoundError', 'Exception') for n in names)
            def typing_only(test):
                return (getattr(test, 'id', '') or getattr(test, 'attr', '')) == 'TYPE_CHECKING'
            def visit(node):
                if isinstance(node, ast.Import):
                    found.update(a.name for a in node.names)
                elif isinstance(node, ast.ImportFrom):
                    if not node.level and node.module:
                        found.update(node.module if a.name == '*' else node.module + '.' + a.name for a in node.names)
                elif isinstance(node, ast.Try) and provided_for(node):
                    for child in (*node.handlers, *node.orelse, *node.finalbody):
                        visit(child)
                elif isinstance(node, ast.If) and typing_only(node.test):
                    for child in node.orelse:
                        visit(child)
                else:
                    for child in ast.iter_child_nodes(node):
                        visit(child)
            found = set()
            try:
                visit(ast.parse(sys.stdin.buffer.read()))
            except (SyntaxError, ValueError):
                pass
            print(' '.join(sorted(found)))
            """;

    private final Path program;
    private final List<Path> folders;
    private final Installers installers;
    private volatile @Nullable Facts facts;

    /** @param name interpreter with the part of its version on which packages depend, such as {@code python3.12} */
    record Facts(String name, Set<String> modules) {}

    /** @param folders with the interpreter's own modules, if they are not among the programs of the system */
    PythonInterpreter(Path program, Collection<Path> folders, Installers installers) {
        this.program = program;
        this.folders = List.copyOf(folders);
        this.installers = installers;
    }

    /** What a program may read that starts this interpreter. */
    List<Path> files() {
        List<Path> files = new ArrayList<>(folders);
        files.add(program);
        return files;
    }

    Path program() {
        return program;
    }

    Facts facts() throws IOException {
        Facts known = facts;
        if (known == null) {
            List<String> lines = ask(FACTS, "");
            if (lines.size() != 3) {
                throw new IOException("Python said " + lines + " in place of its version and its modules");
            }
            var modules = new TreeSet<>(List.of(lines.get(1).split(" ", -1)));
            modules.addAll(List.of(lines.get(2).split(" ", -1)));
            known = new Facts(lines.get(0), modules);
            facts = known;
        }
        return known;
    }

    /**
     * Modules that the source imports at any place, apart from those whose absence it provides for. {@code from a.b import c}
     * names {@code a.b.c}, which is a module or something in one.
     */
    Set<String> imports(String source) throws IOException {
        List<String> lines = ask(IMPORTS, source);
        return lines.isEmpty() || lines.get(0).isEmpty()
                ? Set.of()
                : new TreeSet<>(List.of(lines.get(0).split(" ", -1)));
    }

    private List<String> ask(String code, String input) throws IOException {
        Path empty = Files.createTempDirectory("millrace-");
        Command.Result result;
        try {
            Command.Environment environment = installers.environment(
                    InstallerVariables.ofSystem(installers.variables()),
                    new Installers.Place(empty, files(), List.of()));
            result = Command.run(
                    List.of(program.toString(), "-I", "-c", code), environment, input.getBytes(StandardCharsets.UTF_8));
        } finally {
            FileTree.delete(empty);
        }
        if (result.exitCode() != 0) {
            throw new IOException("Python ended with code " + result.exitCode() + ": " + result.errors());
        }
        return result.output().lines().toList();
    }
}

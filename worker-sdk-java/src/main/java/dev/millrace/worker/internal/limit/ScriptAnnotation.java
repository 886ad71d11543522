package dev.millrace.worker.internal.limit;

import static java.util.Objects.requireNonNull;

import dev.millrace.worker.JobLimits;
import dev.millrace.worker.internal.permission.Permission;
import dev.millrace.worker.internal.permission.Permissions;
import dev.millrace.worker.internal.python.PythonRequirement;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the comments at the beginning of a script say about its jobs: {@code # millrace: memory=256MiB isolation=fresh},
 * or {@code // millrace: …}.
 *
 * @param limits what each job may use at most; a worker may allow less
 * @param fresh whether each job gets a process of its own
 * @param grace time from the request to stop a job until its process is killed; zero leaves it to the worker
 * @param python which versions of Python it runs on
 * @param permissions what it asks for beside what scripts for Deno have
 * @param checked whether its types are checked when it is deployed
 * @param runtime the program that is to run it, {@code deno} or {@code bun}; empty if it does not say
 */
public record ScriptAnnotation(
        JobLimits limits,
        boolean fresh,
        Duration grace,
        PythonRequirement python,
        Permissions permissions,
        boolean checked,
        String runtime) {
    /** Bytes at the beginning of a script where annotations are looked for. */
    public static final int BYTES_MAX = 64 << 10;

    /** A script without annotations. */
    public static final ScriptAnnotation NONE = new ScriptAnnotation(
            JobLimits.NONE, false, Duration.ZERO, PythonRequirement.ANY, Permissions.NONE, true, "");

    private static final Pattern LINE = Pattern.compile("\\s*(?:#|//)\\s*millrace:(.*)");
    private static final Pattern WINDMILL_PYTHON = Pattern.compile("# ?py:(.*)");
    private static final Pattern WINDMILL_RELEASE = Pattern.compile("# ?py3([0-9]{1,2})\\s*");
    private static final Pattern ITEM = Pattern.compile("([a-z]+(?:-[a-z]+)?)(?:=(\\S+))?");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,15})(B|KiB|MiB|GiB)");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,12})(ms|s|m|h)");
    private static final Pattern COUNT = Pattern.compile("[1-9][0-9]{0,8}");

    public ScriptAnnotation {
        requireNonNull(limits, "limits");
        requireNonNull(grace, "grace");
        requireNonNull(python, "python");
    }

    public ScriptAnnotation withLimits(JobLimits value) {
        return new ScriptAnnotation(value, fresh, grace, python, permissions, checked, runtime);
    }

    public ScriptAnnotation withFresh(boolean value) {
        return new ScriptAnnotation(limits, value, grace, python, permissions, checked, runtime);
    }

    public ScriptAnnotation withGrace(Duration value) {
        return new ScriptAnnotation(limits, fresh, value, python, permissions, checked, runtime);
    }

    public ScriptAnnotation withPython(PythonRequirement value) {
        return new ScriptAnnotation(limits, fresh, grace, value, permissions, checked, runtime);
    }

    public ScriptAnnotation withPermissions(Permissions value) {
        return new ScriptAnnotation(limits, fresh, grace, python, value, checked, runtime);
    }

    public ScriptAnnotation withChecked(boolean value) {
        return new ScriptAnnotation(limits, fresh, grace, python, permissions, value, runtime);
    }

    public ScriptAnnotation withRuntime(String value) {
        return new ScriptAnnotation(limits, fresh, grace, python, permissions, checked, value);
    }

    /**
     * Reads the comments before the first line of code.
     *
     * @throws IllegalArgumentException if one of them cannot be understood; the message says where and what to write
     */
    public static ScriptAnnotation read(String source) {
        ScriptAnnotation read = NONE;
        int number = 0;
        for (String line : (Iterable<String>) source.lines()::iterator) {
            number++;
            String text = line.strip();
            if (!text.isEmpty() && !text.startsWith("#") && !text.startsWith("//")) {
                break;
            }
            Matcher matcher = LINE.matcher(line);
            if (matcher.matches()) {
                read = read.with(matcher.group(1).strip(), number);
            }
            read = read.withPython(read.python.and(ofWindmill(line)));
        }
        return read;
    }

    /** What a comment in the form of Windmill says, {@code # py: >=3.12} or {@code # py312}. Others are free text. */
    private static PythonRequirement ofWindmill(String line) {
        Matcher specifiers = WINDMILL_PYTHON.matcher(line);
        Matcher release = WINDMILL_RELEASE.matcher(line);
        try {
            return specifiers.matches()
                    ? PythonRequirement.parse(specifiers.group(1))
                    : release.matches() ? PythonRequirement.parse("3." + release.group(1)) : PythonRequirement.ANY;
        } catch (IllegalArgumentException freeText) {
            return PythonRequirement.ANY;
        }
    }

    private ScriptAnnotation with(String items, int line) {
        ScriptAnnotation read = this;
        for (String item : items.split("\\s+", -1)) {
            Matcher matcher = ITEM.matcher(item);
            Optional<Permission> permission = matcher.matches() ? Permission.of(matcher.group(1)) : Optional.empty();
            if (permission.isPresent()) {
                read = read.asking(permission.get(), matcher.group(2), line);
            } else if (item.startsWith("allow")) {
                throw unreadable(line, item, Permissions.EXAMPLES);
            } else if (matcher.matches() && matcher.group(2) != null) {
                read = read.with(matcher.group(1), matcher.group(2), line);
            } else {
                throw unreadable(line, item, "items such as memory=256MiB, separated by spaces");
            }
        }
        return read;
    }

    private ScriptAnnotation asking(Permission permission, @Nullable String limits, int line) {
        try {
            return withPermissions(permissions.with(permission, limits));
        } catch (IllegalArgumentException e) {
            throw unreadable(line, String.valueOf(e.getMessage()), Permissions.EXAMPLES);
        }
    }

    private ScriptAnnotation with(String name, String value, int line) {
        return switch (name) {
            case "memory" -> withLimits(limits.withMemoryBytes(size(name, value, line)));
            case "cpu" -> withLimits(limits.withCpu(time(name, value, line)));
            case "processes" -> withLimits(limits.withProcesses(count(name, value, line)));
            case "files" -> withLimits(limits.withFiles(count(name, value, line)));
            case "output" -> withLimits(limits.withOutputBytes(size(name, value, line)));
            case "result" -> withLimits(limits.withResultBytes(size(name, value, line)));
            case "isolation" -> withFresh(isFresh(name, value, line));
            case "grace" -> withGrace(time(name, value, line));
            case "python" -> withPython(python.and(requirement(value, line)));
            case "runtime" -> withRuntime(runtime(name, value, line));
            case "check" -> withChecked(isOn(name, value, line));
            default ->
                throw unreadable(
                        line,
                        name + "=" + value,
                        "memory, cpu, processes, files, output, result, isolation, grace, python, runtime, check or permissions such as allow-net");
        };
    }

    private static long size(String name, String value, int line) {
        Matcher matcher = SIZE.matcher(value);
        if (matcher.matches()) {
            int shift = switch (matcher.group(2)) {
                case "GiB" -> 30;
                case "MiB" -> 20;
                case "KiB" -> 10;
                default -> 0;
            };
            long amount = Long.parseLong(matcher.group(1));
            if (amount > 0 && amount <= Long.MAX_VALUE >> shift) {
                return amount << shift;
            }
        }
        throw unreadable(line, name + "=" + value, "a size such as 64KiB, 256MiB or 2GiB");
    }

    private static Duration time(String name, String value, int line) {
        Matcher matcher = TIME.matcher(value);
        if (matcher.matches() && Long.parseLong(matcher.group(1)) > 0) {
            long amount = Long.parseLong(matcher.group(1));
            return switch (matcher.group(2)) {
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                default -> Duration.ofHours(amount);
            };
        }
        throw unreadable(line, name + "=" + value, "a time such as 500ms, 10s or 5m");
    }

    private static int count(String name, String value, int line) {
        if (COUNT.matcher(value).matches()) {
            return Integer.parseInt(value);
        }
        throw unreadable(line, name + "=" + value, "a number above 0");
    }

    private static boolean isFresh(String name, String value, int line) {
        return switch (value) {
            case "fresh" -> true;
            case "shared" -> false;
            default -> throw unreadable(line, name + "=" + value, "fresh or shared");
        };
    }

    private static boolean isOn(String name, String value, int line) {
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default -> throw unreadable(line, name + "=" + value, "on or off");
        };
    }

    private static String runtime(String name, String value, int line) {
        return switch (value) {
            case "deno", "bun" -> value;
            default -> throw unreadable(line, name + "=" + value, "deno or bun");
        };
    }

    private static PythonRequirement requirement(String value, int line) {
        try {
            return PythonRequirement.parse(value);
        } catch (IllegalArgumentException e) {
            throw unreadable(line, "python=" + value, PythonRequirement.EXAMPLES);
        }
    }

    private static IllegalArgumentException unreadable(int line, String what, String expected) {
        return new IllegalArgumentException("The annotation in line " + line + " of the script cannot be understood: "
                + what + " (expected: " + expected + ").");
    }
}

package dev.millrace.scheduler.flow.dialect.openflow;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.StepAction;
import dev.millrace.scheduler.flow.core.definition.TaskOptions;
import dev.millrace.scheduler.flow.core.definition.TaskTarget;
import dev.millrace.scheduler.flow.dialect.Compilation.InlineScript;
import dev.millrace.scheduler.flow.dialect.Fields;
import dev.millrace.scheduler.flow.dialect.ScriptUse;
import dev.millrace.scheduler.flow.dialect.SourceNode;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.script.ScriptPaths;
import dev.millrace.text.script.BunNeed;
import dev.millrace.text.script.WindmillLock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reader of modules that run a script: {@code rawscript} with its source, {@code script} with its path. */
final class TaskModules {
    private static final List<String> RAW_KEYS = withLimit(
            "type",
            "content",
            "language",
            Transforms.MANY,
            Transforms.OLD,
            "path",
            "lock",
            "tag",
            Retries.KEY,
            "is_trigger",
            "assets");
    private static final List<String> PATH_KEYS = withLimit(
            "type", "path", Transforms.MANY, Transforms.OLD, "hash", "tag_override", Retries.KEY, "is_trigger");
    private static final Map<String, Language> LANGUAGES = Map.of(
            "python3", Language.PYTHON,
            "deno", Language.DENO,
            "bun", Language.DENO,
            "bunnative", Language.DENO,
            "nativets", Language.DENO,
            "bash", new Language("bash"),
            "go", new Language("go"),
            "postgresql", new Language("postgresql"),
            "mysql", new Language("mysql"));
    /** Scripts in these run in Bun if they need it, and else in Deno, which has permissions and starts faster. */
    private static final Set<String> OF_WINDMILLS_BUN = Set.of("bun", "bunnative", "nativets");
    /** Prefix of the paths of inline scripts. Paths of other scripts have no colon, so they never conflict. */
    private static final String INLINE = "inline:";
    /** Prefix with which Windmill's command line marks that the source is in a file beside the flow. */
    private static final String BESIDE = "!inline ";

    private static final String FAILURE_IN_RESULT = "wm_failure";

    private final Reading reading;
    private final Expressions expressions;
    private final Fields module;
    private final boolean raw;

    TaskModules(Reading reading, Expressions expressions, Fields module, Actions.Kind kind) {
        this.reading = reading;
        this.expressions = expressions;
        this.module = module;
        this.raw = kind == Actions.Kind.RAWSCRIPT;
    }

    StepAction.Task read(SourceNode value, String id) {
        Fields fields = reading.fields(
                value, module.path("value"), raw ? "a rawscript" : "a script", raw ? RAW_KEYS : PATH_KEYS);
        TaskTarget target = raw ? inline(fields, id) : byPath(fields);
        Template input = new Transforms(reading, expressions).input(fields, module);
        if (target instanceof TaskTarget.ScriptPath(String path)) {
            reading.useScript(new ScriptUse(path, input, fields.path(Transforms.MANY)));
        }
        return new StepAction.Task(target, input, options(fields, input));
    }

    private static List<String> withLimit(String... keys) {
        return Stream.concat(Stream.of(keys), StepLimits.KEYS.stream()).toList();
    }

    private TaskTarget inline(Fields fields, String id) {
        Optional<String> content = required(fields, "content", "Add content with the source of the script.");
        Optional<String> word =
                required(fields, "language", "Add language: python3, deno, bun, bash, go, postgresql or mysql.");
        Optional<Language> language = word.flatMap(name -> language(fields, name, content.orElse("")));
        if (content.isPresent() && content.get().startsWith(BESIDE)) {
            String file = content.get().substring(BESIDE.length()).strip();
            if (word.filter(OF_WINDMILLS_BUN::contains).isPresent()) {
                reading.useBunIfNeeded(file);
            }
            return script(fields, "content", file);
        }
        String path = INLINE + id;
        warnOfFailureInResult(fields, content.orElse(""));
        if (content.isPresent() && language.isPresent()) {
            reading.addInlineScript(
                    path, new InlineScript(language.get(), content.get(), lock(fields, language.get())));
        }
        return new TaskTarget.ScriptPath(path);
    }

    /** The lock of a script that can obey it. Without effect are those of scripts that need no packages, and of other languages. */
    private String lock(Fields fields, Language language) {
        String lock = fields.text("lock").orElse("");
        boolean isPython = language.equals(Language.PYTHON);
        if (lock.isBlank() || !(isPython || language.equals(Language.BUN))) {
            return "";
        }
        if (isPython
                ? WindmillLock.python(lock).isPresent()
                : WindmillLock.bun(lock).isPresent()) {
            return lock;
        }
        reading.warn(
                fields.find("lock").orElseThrow().mark(),
                fields.path("lock"),
                "The lock has no effect, since it "
                        + (lock.startsWith(BESIDE)
                                ? "is in a file, and the script is not."
                                : "names no exact versions in the form that " + (isPython ? "pip" : "bun.lock")
                                        + " has."),
                "Versions of packages are chosen when the flow is deployed. Pin those that matter in the script.");
        return "";
    }

    /** Windmill takes a script that returns an object with this member as failed. */
    private void warnOfFailureInResult(Fields fields, String content) {
        if (content.contains(FAILURE_IN_RESULT)) {
            reading.warn(
                    fields.find("content").orElseThrow().mark(),
                    fields.path("content"),
                    "The script mentions " + FAILURE_IN_RESULT
                            + ": in Windmill it fails if its result has that member, here it succeeds.",
                    "Let the script raise an error instead.");
        }
    }

    private Optional<Language> language(Fields fields, String word, String content) {
        Language language =
                OF_WINDMILLS_BUN.contains(word) && BunNeed.isIn(content) ? Language.BUN : LANGUAGES.get(word);
        if (language == null) {
            reading.problem(
                    fields.find("language").orElseThrow().mark(),
                    fields.path("language"),
                    "Scripts in \"" + word + "\" do not run here.",
                    "Use python3, deno, bun, nativets, bash, go, postgresql or mysql.");
        }
        return Optional.ofNullable(language);
    }

    private TaskTarget byPath(Fields fields) {
        fields.refuse(
                List.of("hash"), "is a version in Windmill, which is unknown here.", "Remove it; path is enough.");
        String path = required(
                        fields, "path", "Add path with the path of a deployed script or of a file beside the flow.")
                .orElse("");
        if (path.startsWith("hub/")) {
            reading.problem(
                    fields.find("path").orElseThrow().mark(),
                    fields.path("path"),
                    "Scripts of Windmill's hub cannot be reached from here.",
                    "Deploy the script under a path of its own.");
        }
        return script(fields, "path", path);
    }

    /** Makes a target of a stored script, or of one in a file beside the flow. */
    private TaskTarget script(Fields fields, String key, String path) {
        if (ScriptPaths.isValid(path)) {
            reading.useScript(path);
        } else if (fields.has(key)) {
            reading.problem(
                    fields.find(key).orElseThrow().mark(),
                    fields.path(key),
                    "\"" + path + "\" is not the path of a script.",
                    "Use " + ScriptPaths.EXPECTED + ".");
        }
        return new TaskTarget.ScriptPath(path);
    }

    private Optional<String> required(Fields fields, String key, String remedy) {
        if (!fields.has(key)) {
            reading.problem(fields.mark(), fields.path(), "The script has no " + key + ".", remedy);
        }
        return fields.text(key);
    }

    private TaskOptions options(Fields fields, Template input) {
        ArgumentTexts texts = new ArgumentTexts(reading, fields, input);
        Timeouts timeout = new Timeouts(reading, expressions, module);
        return new TaskOptions(
                tag(fields, raw ? "tag" : "tag_override", texts),
                module.whole("priority", JobOptions.PRIORITY_MIN, JobOptions.PRIORITY_MAX)
                        .orElse(0),
                timeout.ofTask(),
                new Retries(reading, module).read(),
                Caches.find(module),
                new Erasures(reading, module).ofTask(),
                new StepLimits(fields, texts).read(),
                timeout.computed().map(seconds -> Template.object(Map.of("timeout", seconds))));
    }

    /**
     * The tag of the jobs; a tag of the flow has precedence. In the tag of a script, {@code $args[name]} stands for an
     * argument.
     */
    private Optional<Template> tag(Fields fields, String key, ArgumentTexts texts) {
        boolean isTooLong = fields.text(key)
                .filter(tag -> tag.length() > JobOptions.TAG_LENGTH_MAX)
                .isPresent();
        if (isTooLong) {
            reading.problem(
                    fields.find(key).orElseThrow().mark(),
                    fields.path(key),
                    "The tag is longer than the limit of " + JobOptions.TAG_LENGTH_MAX + " characters.",
                    "Give the workers a shorter tag.");
        }
        if (fields.text(key).filter(tag -> !JobOptions.isCallers(tag)).isPresent()) {
            reading.problem(
                    fields.find(key).orElseThrow().mark(),
                    fields.path(key),
                    "The tag begins with a character with which only tags of the scheduler begin.",
                    "Give the workers another tag.");
        }
        Optional<Template> own = texts.find(key);
        return reading.tagOfAll().<Template>map(KeyTexts::read).or(() -> own);
    }
}

package dev.millrace.text.go;

import dev.millrace.text.go.GoType.Scalar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the types of a file. What is not certain becomes a type that takes anything. */
final class GoTypes {
    /** How deep a type may be built of others. */
    private static final int DEPTH_MAX = 20;

    private static final Map<String, Scalar> BUILT_IN = builtIn();

    /** Types of the standard library that are not what their declarations say. */
    private static final Map<String, Scalar> KNOWN = Map.of(
            "time.Time", Scalar.TIME,
            "time.Duration", Scalar.INTEGER,
            "context.Context", Scalar.CONTEXT,
            "encoding/json.RawMessage", Scalar.OPAQUE,
            "encoding/json.Number", Scalar.OPAQUE);

    private static final Pattern TAG =
            Pattern.compile("`\\s*json:\"([A-Za-z0-9_-]*)((?:,omitempty|,omitzero)*)\"(?:\\s[^`]*)?`");

    /** How many types are read; each use of one that is declared counts. */
    private static final int READ_MAX = 2_000;

    private final GoFile file;
    private final Map<String, GoType.Struct> structs = new HashMap<>();
    private int read;

    GoTypes(GoFile file) {
        this.file = file;
    }

    private static Map<String, Scalar> builtIn() {
        Map<String, Scalar> types = new HashMap<>();
        types.put("bool", Scalar.BOOLEAN);
        types.put("string", Scalar.STRING);
        List.of("int", "int8", "int16", "int32", "int64", "rune").forEach(name -> types.put(name, Scalar.INTEGER));
        List.of("uint", "uint8", "uint16", "uint32", "uint64", "uintptr", "byte")
                .forEach(name -> types.put(name, Scalar.UNSIGNED));
        List.of("float32", "float64").forEach(name -> types.put(name, Scalar.FLOAT));
        return types;
    }

    Optional<GoSignature> signature() {
        List<GoSignature.Parameter> parameters = new ArrayList<>();
        List<String> unnamed = new ArrayList<>();
        for (List<GoToken> part : GoTokens.split(file.parameters())) {
            if (part.isEmpty() || !part.get(0).isWord()) {
                return Optional.empty();
            }
            unnamed.add(part.get(0).text());
            if (part.size() > 1) {
                GoType type = type(part.subList(1, part.size()), 0);
                unnamed.forEach(name -> parameters.add(new GoSignature.Parameter(name, type)));
                unnamed.clear();
            }
        }
        long names =
                parameters.stream().map(GoSignature.Parameter::name).distinct().count();
        // Names without a type are types without a name.
        return unnamed.isEmpty() && names == parameters.size()
                ? Optional.of(new GoSignature(parameters, structs))
                : Optional.empty();
    }

    private GoType type(List<GoToken> all, int depth) {
        GoTokens tokens = new GoTokens(all);
        read++;
        if (depth > DEPTH_MAX || read > READ_MAX || all.isEmpty()) {
            return Scalar.UNKNOWN;
        }
        if (tokens.takes("*")) {
            return new GoType.Pointer(type(all.subList(1, all.size()), depth + 1));
        }
        if (tokens.here().is("(")) {
            List<GoToken> inside = tokens.inside();
            return tokens.isAtEnd() ? type(inside, depth + 1) : Scalar.UNKNOWN;
        }
        if (tokens.here().is("[")) {
            List<GoToken> length = tokens.inside();
            return list(length.isEmpty(), all.subList(length.size() + 2, all.size()), depth);
        }
        if (tokens.here().is("map") && tokens.ahead(1).is("[")) {
            tokens.next();
            int key = tokens.inside().size();
            return new GoType.MapOf(type(all.subList(key + 3, all.size()), depth + 1));
        }
        if (tokens.here().is("struct") && tokens.ahead(1).is("{")) {
            tokens.next();
            return struct(tokens.inside(), depth);
        }
        return named(all, depth);
    }

    private GoType list(boolean isSlice, List<GoToken> element, int depth) {
        GoType type = type(element, depth + 1);
        if (!isSlice) {
            // What is beyond the end of an array is not read.
            return new GoType.ListOf(Scalar.UNKNOWN);
        }
        // All unsigned numbers of one byte, and those of more: a text is taken for the former only.
        return type == Scalar.UNSIGNED ? ofUnsigned(element) : new GoType.ListOf(type);
    }

    private static GoType ofUnsigned(List<GoToken> element) {
        boolean isWider = element.size() == 1
                && List.of("uint", "uint16", "uint32", "uint64", "uintptr")
                        .contains(element.get(0).text());
        return isWider ? new GoType.ListOf(Scalar.UNSIGNED) : Scalar.BYTES;
    }

    private GoType named(List<GoToken> name, int depth) {
        if (name.size() == 3 && name.get(1).is(".")) {
            String path = file.imports().get(name.get(0).text());
            return path == null
                    ? Scalar.UNKNOWN
                    : KNOWN.getOrDefault(path + "." + name.get(2).text(), Scalar.UNKNOWN);
        }
        if (name.size() != 1 || !name.get(0).isWord()) {
            return Scalar.UNKNOWN;
        }
        String text = name.get(0).text();
        GoFile.Type declared = file.types().get(text);
        return declared == null ? BUILT_IN.getOrDefault(text, Scalar.UNKNOWN) : declared(text, declared, depth);
    }

    private GoType declared(String name, GoFile.Type type, int depth) {
        boolean isStruct = !type.tokens().isEmpty() && type.tokens().get(0).is("struct");
        if (file.readers().contains(name)) {
            return Scalar.UNKNOWN;
        }
        if (isStruct) {
            return declaredStruct(name, type, depth);
        }
        GoType found = type(type.tokens(), depth + 1);
        boolean isForeign = found instanceof Scalar
                && type.tokens().size() == 3
                && !type.tokens().get(2).is("Duration");
        // A new type has none of the methods of the one that it is made of.
        return isForeign && !type.isAlias() ? Scalar.UNKNOWN : found;
    }

    private GoType declaredStruct(String name, GoFile.Type type, int depth) {
        if (!structs.containsKey(name)) {
            structs.put(name, new GoType.Struct(List.of()));
            GoType read = type(type.tokens(), depth + 1);
            if (!(read instanceof GoType.Struct struct)) {
                structs.remove(name);
                return read;
            }
            structs.put(name, struct);
        }
        return new GoType.Named(name);
    }

    private GoType struct(List<GoToken> body, int depth) {
        Map<String, GoType> fields = new LinkedHashMap<>();
        GoTokens tokens = new GoTokens(body);
        while (!tokens.isAtEnd()) {
            List<GoToken> field = new ArrayList<>();
            while (!tokens.isAtEnd() && !tokens.here().is(";")) {
                if (tokens.here().is("{")
                        || tokens.here().is("(")
                        || tokens.here().is("[")) {
                    String opening = tokens.here().text();
                    field.add(tokens.here());
                    field.addAll(tokens.inside());
                    field.add(new GoToken(
                            GoToken.Kind.SIGN, opening.equals("{") ? "}" : opening.equals("(") ? ")" : "]"));
                } else {
                    field.add(tokens.next());
                }
            }
            tokens.next();
            if (!field.isEmpty() && !addFields(fields, field, depth)) {
                return Scalar.UNKNOWN;
            }
        }
        return new GoType.Struct(fields.entrySet().stream()
                .map(field -> new GoType.Field(field.getKey(), field.getValue()))
                .toList());
    }

    /** Adds the fields that one line declares; false if it embeds a type, which may read JSON itself. */
    private boolean addFields(Map<String, GoType> fields, List<GoToken> line, int depth) {
        GoToken last = line.get(line.size() - 1);
        Optional<String> tag = last.kind() == GoToken.Kind.TEXT ? Optional.of(last.text()) : Optional.empty();
        List<GoToken> declared = tag.isPresent() ? line.subList(0, line.size() - 1) : line;
        List<String> names = new ArrayList<>();
        int at = 0;
        while (at < declared.size() && declared.get(at).isWord()) {
            names.add(declared.get(at).text());
            at++;
            if (at >= declared.size() || !declared.get(at).is(",")) {
                break;
            }
            at++;
        }
        boolean mayBeGeneric = at < declared.size()
                && declared.get(at).is("[")
                && declared.get(declared.size() - 1).is("]");
        if (names.isEmpty() || at >= declared.size() || declared.get(at).is(".") || mayBeGeneric) {
            return false;
        }
        GoType type = type(declared.subList(at, declared.size()), depth + 1);
        for (String name : names) {
            jsonName(name, tag).ifPresent(json -> fields.merge(json, type, (first, second) -> Scalar.UNKNOWN));
        }
        return true;
    }

    /** The name of a field in JSON; empty if it has none, or if the tag is not simple. */
    private static Optional<String> jsonName(String name, Optional<String> tag) {
        boolean isExported = Character.isUpperCase(name.codePointAt(0));
        if (!isExported) {
            return Optional.empty();
        }
        boolean mayRename = tag.filter(text -> !text.startsWith("`") || text.contains("json"))
                .isPresent();
        if (!mayRename) {
            return Optional.of(name);
        }
        Matcher simple = TAG.matcher(tag.orElseThrow());
        if (!simple.matches() || simple.group(1).equals("-")) {
            return Optional.empty();
        }
        return Optional.of(simple.group(1).isEmpty() ? name : simple.group(1));
    }
}

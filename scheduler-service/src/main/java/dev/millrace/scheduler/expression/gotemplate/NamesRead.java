package dev.millrace.scheduler.expression.gotemplate;

import dev.millrace.scheduler.expression.Expression;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Notes which names a text asks for, so that their values can go with it to where it is evaluated. */
final class NamesRead implements GoNames {
    /** What the keys of variables and of fields begin with. */
    static final String VARIABLE = "variable ";

    static final String FIELD = "field ";

    private final GoNames names;
    private final Map<String, Expression> read = new LinkedHashMap<>();

    NamesRead(GoNames names) {
        this.names = names;
    }

    /** The names that were found, by their keys. */
    Map<String, Expression> read() {
        return read;
    }

    @Override
    public Optional<Expression> variable(String name) {
        return noted(VARIABLE + name, names.variable(name));
    }

    @Override
    public Optional<Expression> field(String name) {
        return noted(FIELD + name, names.field(name));
    }

    private Optional<Expression> noted(String key, Optional<Expression> found) {
        found.ifPresent(expression -> read.put(key, expression));
        return found;
    }
}

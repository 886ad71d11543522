/** Scripts in SQL, as far as their text tells: statements, and the parameters that they take. Pure. */
@NullMarked
package dev.millrace.text.sql;

import org.jspecify.annotations.NullMarked;

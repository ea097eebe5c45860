"""What templates know of the Java library: methods of common types, arities, packages of exceptions."""

from __future__ import annotations

from nl2fix.mutation.java.subject import Subject
from nl2fix.mutation.java.typenames import erased


def _words(*texts: str) -> frozenset[str]:
    return frozenset(" ".join(texts).split())


_COLLECTION = (
    "add addAll clear contains containsAll isEmpty iterator remove removeAll removeIf retainAll size stream"
)
_LIST = "get set indexOf lastIndexOf subList sort replaceAll listIterator equals hashCode"
_QUEUE = """addFirst addLast getFirst getLast offer offerFirst offerLast peek peekFirst peekLast poll
    pollFirst pollLast pop push removeFirst removeLast element"""
_MAP = """clear compute computeIfAbsent computeIfPresent containsKey containsValue entrySet get getOrDefault
    isEmpty keySet merge put putAll putIfAbsent remove replace replaceAll size values"""
_SORTED = "first last floor ceiling higher lower pollFirst pollLast headSet tailSet subSet descendingSet"
_SORTED_MAP = """firstKey lastKey floorKey ceilingKey higherKey lowerKey headMap tailMap subMap firstEntry
    lastEntry"""
_STRING = """charAt codePointAt compareTo compareToIgnoreCase concat contains endsWith equals equalsIgnoreCase
    format getBytes hashCode indexOf isBlank isEmpty lastIndexOf length lines matches regionMatches
    repeat replace replaceAll replaceFirst split startsWith strip substring toCharArray toLowerCase
    toUpperCase trim"""
_BUILDER = """append charAt delete deleteCharAt indexOf insert lastIndexOf length replace reverse setCharAt
    setLength substring"""
_DATE = """equals isAfter isBefore isEqual minusDays minusMonths minusYears plusDays plusMonths plusYears
    getYear getMonth getDayOfMonth getDayOfYear getDayOfWeek getMonthValue"""
_MATH = """abs absExact acos addExact asin atan atan2 cbrt ceil copySign cos cosh decrementExact exp expm1
    floor floorDiv floorMod fma getExponent hypot incrementExact log log10 log1p max min multiplyExact
    negateExact nextAfter nextDown nextUp pow random rint round scalb signum sin sinh sqrt subtractExact
    tan tanh toDegrees toIntExact toRadians ulp"""
METHODS: dict[str, frozenset[str]] = {
    "Math": _words(_MATH),
    "String": _words(_STRING),
    "StringBuilder": _words(_BUILDER),
    "List": _words(_COLLECTION, _LIST),
    "ArrayList": _words(_COLLECTION, _LIST),
    "LinkedList": _words(_COLLECTION, _LIST, _QUEUE),
    "Set": _words(_COLLECTION),
    "HashSet": _words(_COLLECTION),
    "Collection": _words(_COLLECTION),
    "TreeSet": _words(_COLLECTION, _SORTED),
    "Deque": _words(_COLLECTION, _QUEUE),
    "ArrayDeque": _words(_COLLECTION, _QUEUE),
    "Queue": _words(_COLLECTION, "offer peek poll element"),
    "Map": _words(_MAP),
    "HashMap": _words(_MAP),
    "LinkedHashMap": _words(_MAP),
    "TreeMap": _words(_MAP, _SORTED_MAP),
    "LocalDate": _words(_DATE),
}
"""Type → its usual methods, of ``Math`` its static ones; another method is not called on it by a template."""

FIXED_ARITY = _words(
    """put putIfAbsent getOrDefault compare max min charAt equals contains containsKey get set compareTo
    setCharAt startsWith endsWith isEmpty putAll computeIfAbsent merge apply accept test pow floorMod
    equalsIgnoreCase requireNonNullElse concat matches addAll removeAll"""
)
"""Methods without an overload of fewer arguments."""

_PACKAGES = {
    "java.util": """NoSuchElementException ConcurrentModificationException InputMismatchException
        EmptyStackException""",
    "java.io": "UncheckedIOException",
    "java.time": "DateTimeException",
    "java.lang": """ArithmeticException ArrayIndexOutOfBoundsException ClassCastException
        IllegalArgumentException IllegalStateException IndexOutOfBoundsException NegativeArraySizeException
        NullPointerException NumberFormatException StringIndexOutOfBoundsException
        UnsupportedOperationException
        RuntimeException Exception ArrayStoreException StackOverflowError OutOfMemoryError""",
}
_PACKAGE_OF = {name: package for package, names in _PACKAGES.items() for name in names.split()}
NO_MESSAGE = frozenset({"EmptyStackException", "UncheckedIOException"})
NO_EMPTY = frozenset({"DateTimeException", "UncheckedIOException"})


def exception_name(subject: Subject, name: str) -> str | None:
    """How the file can write an exception's type; ``None`` when it does not know it."""
    package = _PACKAGE_OF.get(name)
    if package == "java.lang":
        return name
    if package is not None:
        return subject.qualified(package, name)
    return name if name in subject.words else None


def may_have(kind: str | None, method: str) -> bool:
    """Whether a value of this type, or ``Math``, can have the method; true for types not listed."""
    methods = METHODS.get(erased(kind))
    return methods is None or method in methods

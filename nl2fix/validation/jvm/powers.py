"""What an edit newly reaches for that no fix of a method needs, read from its classes.

Such code can harm the JVM it shares with others, or write its own verdict. It is judged in a JVM of its
own; what can do more than harm is told as suspicious. Read are the names in the constant pools, in
comparison with the unedited classes: code that finds its names only while it runs needs reflection for
it, which is one of the powers. What an edit's class inherits counts as its parents' own. A class that the
edit adds may not say by itself what it equals, nor may a comparison answer without a look. Of the
project's own classes and libraries that an edit newly uses, what these reach for themselves counts as
well, one step far.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from nl2fix.validation.jvm.classfile import Family, References, family, references


class Power(NamedTuple):
    """Something an edit newly reaches for."""

    kind: str
    name: str
    """The class, member or text."""
    suspicious: bool
    """Whether it can do more than leave something behind."""

    def __str__(self) -> str:
        return f"{self.kind} ({self.name})"


_EXACT = {
    "native memory": r"sun/|com/sun/|jdk/|java/lang/foreign/|org/graalvm/",
    "the JVM from within": r"java/lang/(instrument|management)/|javax/management/",
    "reflection that opens or changes members": (
        r"java/lang/reflect/\w+\.(setAccessible|trySetAccessible|set[A-Z]?\w*:)|"
        r"java/lang/invoke/(MethodHandles|MethodHandles\$Lookup|VarHandle)\.|java/util/concurrent/atomic/\w+Updater\."
    ),
    "processes": r"java/lang/(ProcessBuilder|Process|ProcessHandle)\b|java/lang/Runtime\.exec\b",
    "the end of the JVM": r"java/lang/(System|Runtime)\.(exit|halt|addShutdownHook|removeShutdownHook)\b",
    "native code": r"java/lang/(System|Runtime)\.(load|loadLibrary)\b",
    "security settings": (
        r"java/security/(Security|Provider|Policy|AccessController|CodeSource|ProtectionDomain)\b|"
        r"java/io/ObjectInputFilter\$Config\b|javax/security/auth/(Policy|login/Configuration)\.set|"
        r"[\w/$]+\.\w+:.*Ljava/security/Provider;|java/lang/SecurityManager\b|java/lang/System\.setSecurityManager\b"
    ),
    "other threads": (
        # A thread's own run is the harness's, and would begin again.
        r"java/lang/ThreadGroup\b|java/lang/Thread\.(run|stop|suspend|resume|enumerate|getAllStackTraces|"
        r"getThreadGroup|activeCount|countStackFrames)\b"
    ),
}
_KINDS = {
    "reflection": (
        r"java/lang/reflect/(Field|Method|Constructor|Executable|Proxy|AccessibleObject)\.|"
        r"java/lang/invoke/MethodHandle\.|java/beans/|javax/script/|java/util/ServiceLoader\b|"
        r"java/lang/Class\.(forName|newInstance|getDeclared\w+|getMethods?|getFields?|getConstructors?|getModule)\b|"
        r"java/lang/(Module|ModuleLayer)\b"
    ),
    "class loaders": (
        r"java/lang/ClassLoader\.(?!getResource|getSystemResource)|java/net/URLClassLoader\b|"
        r"java/security/SecureClassLoader\b|[\w/$]+\.\w*ClassLoader:|javax/tools/"
    ),
    "serialization": r"java/io/Object(In|Out)putStream\b|java/rmi/|javax/naming/",
    "stack frames": (
        # Asked of any exception's class.
        r"java/lang/StackWalker\b|[\w/$]+\.[gs]etStackTrace:|java/lang/Thread\.dumpStack\b|"
        r"[\w/$]+\.printStackTrace:\(Ljava/io/|java/lang/StackTraceElement\b|"
        # What prints them for others, and where to.
        r"java/lang/System\.set(Out|Err)\b|java/util/logging/(LogRecord|\w+Formatter|\w*Handler)\b|"
        r"java/sql/DriverManager\.setLog"
    ),
    "what it reads": (
        r"[\w/$]+\.get(Resource|SystemResource|Bundle)\w*:|java/net/URL\.(openStream|openConnection|getContent)\b|"
        r"java/io/(FileInputStream|FileReader|RandomAccessFile|File\.list\w*)\b|"
        r"java/util/Scanner\.<init>:\(Ljava/(io/File|nio/)|java/util/(zip/ZipFile|jar/JarFile)\b|"
        r"java/nio/file/(Files\.(read|lines|list|walk|find|copy|mismatch|newInput|newBufferedReader|"
        r"newByte|newDirectory)|FileSystems\b|FileSystem\.provider|spi/)|java/nio/channels/\w*FileChannel\b|"
        r"javax/(imageio/stream|sound|activation)/|java/awt/Font\.createFont\b|"
        # An entity is a file or a folder.
        r"javax/xml/parsers/\w+\.parse:|org/xml/sax/(helpers/)?\w+\.parse:|org/w3c/dom/ls/|"
        r"javax/xml/(stream/XMLInputFactory\.create|validation/\w+\.(newSchema|validate):|bind/\w+\.unmarshal:)"
    ),
    # What finds and calls methods by the names in a text.
    "calls by name": (
        r"javax/swing/|javax/xml/(transform|xpath)/|java/util/spi/ToolProvider\b|"
        r"org/xml/sax/helpers/(XMLReader|Parser)Factory\b|javax/xml/[\w/]+\.new(Instance|Factory):\(Ljava/lang/String;"
    ),
    "how it was started": r"java/lang/System\.(getenv|getProperties)\b",
    "the test framework": r"org/junit/|junit/|org/hamcrest/|org/opentest4j/|org/testng/|org/mockito/",
}
_APART = {
    "files": (
        r"java/io/(FileInputStream|FileOutputStream|FileReader|FileWriter|FileDescriptor|RandomAccessFile)\b|"
        r"java/io/File\.(create|mkdir|delete|rename|set|list)|java/nio/(file|channels)/|"
        r"[\w/$]+\.<init>:\((Ljava/io/File;|Ljava/nio/file/Path;)|java/util/(zip/ZipFile|jar/JarFile)\b|"
        r"java/(io/Print(Writer|Stream)|util/Formatter)\.<init>:\(Ljava/lang/String;"
    ),
    "the network": (
        r"java/net/(\w*Socket\w*|\w*Connection|InetAddress|NetworkInterface)\b|"
        r"java/net/(URL\.(open|getContent|set)|http/)"
    ),
    "threads": (
        r"java/lang/Thread\.(<init>|start|set|of|builder|interrupt)|java/lang/Thread\$Builder|java/lang/ref/Cleaner|"
        r"java/util/(Timer|concurrent/(Executor|ForkJoin|Recursive|Counted|Completable|Scheduled|ThreadPool|"
        r"SubmissionPublisher))|"
        r"[\w/$]+\.parallel\w*:|java/util/stream/Gatherers\.mapConcurrent|"
        r"java/util/concurrent/ConcurrentHashMap(\$\w+)?\.\w+:\(J"
    ),
    "settings of the JVM": (
        r"java/lang/System\.(set\w+|clearProperty|getProperties)\b|java/util/(logging|prefs)/|"
        r"javax?/[\w/$]+\.(setDefault\w*|set\w*(Factory|Handler|Manager|Resolver|Selector|"
        r"Converter)|(de)?register\w*|install\w*):|"
        r"javax/xml/(transform|xpath)/|java/util/ResourceBundle\.clearCache\b|java/sql/|javax/imageio/|"
        r"java/awt/|javax/swing/"
    ),
    # Whoever interns a text later learns whether it has been; memory and numbers tell of who was before, too.
    "what all share": r"java/lang/(String\.intern|Runtime\.\w+Memory|Thread\.(getId|threadId))\b",
}
_FRAMEWORK = re.compile("L" + _KINDS["the test framework"].replace("|", "|L"))
"""What an annotation, which tests may inherit, names of a test framework."""
_TEXTS = re.compile(
    r"/proc\b|/dev/|/sys/|nl2fix|sun\.misc|sun\.reflect|jdk\.internal|java\.lang\.reflect|theUnsafe|"
    r"sun\.java\.|java\.lang\.Runtime|java\.lang\.System$|setAccessible|org\.junit|junit\.framework|java\.class\.path"
)
_PROPERTY = re.compile(
    r"java/lang/(System\.getProperty|Boolean\.getBoolean|(Integer|Long)\.get(Integer|Long)):"
)
_PLAIN = re.compile(
    r"(line|file|path)\.(separator|encoding)|java\.version|os\.name|user\.(language|country|timezone)"
)
"""Properties that code may ask for."""
_EQUALS = "equals:(Ljava/lang/Object;)Z"
_ALWAYS, _ZERO = b"\x04\xac", b"\x03\xac"
"""The code of methods that return true, and 0."""
_ORDERS = re.compile(r"(compareTo:\(L[^;]+;|(compare|lambda\$.+):\(L[^;]+;L[^;]+;)\)I")
_COMPARED = re.compile(
    r"java/util/(concurrent/)?\w*(Collection|Set|List|Map|Queue|Deque|Vector|Stack|Hashtable|Calendar)|"
    r"java/util/Date|java/sql/(Date|Time|Timestamp)|java/math/Big\w+"
)
"""What compares by methods that a class below it may have of its own."""
_ASKED = re.compile(
    "(size|iterator|listIterator|contains|containsAll|containsKey|get|entrySet|getTime|getTimeInMillis|compareTo):"
)
_HARNESS = re.compile("nl2fix", re.IGNORECASE)
_CAUGHT = re.compile(r"java/lang/(Throwable|Error|LinkageError|NoClassDefFoundError)")
"""Whoever catches one of these, as each ``finally`` does, can hide that a class could not be set up."""


def _patterns(kinds: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(pattern) for kind, pattern in kinds.items()}


_exact, _kinds, _apart = _patterns(_EXACT), _patterns(_KINDS), _patterns(_APART)


class Powers:
    """What edits of one program newly reach for."""

    def __init__(self, unedited: Iterable[bytes], others: Callable[[str], bytes | None]) -> None:
        """``others`` gives the class file of a binary name with slashes: the project's or a library's."""
        before = list(unedited)
        self._known = _union(before)
        self._families = {made.name: made for made in map(family, before)}
        # Code that works with files or reflects already may do so in another way after an edit.
        used = {kind for kind, pattern in {**_kinds, **_apart}.items() if _first(pattern, self._known)}
        self.lasting = not used.isdisjoint(_apart)
        """Whether the unedited program itself works with what outlives a run: files, threads, settings."""
        self._kinds = {kind: pattern for kind, pattern in _kinds.items() if kind not in used}
        self._apart = {kind: pattern for kind, pattern in _apart.items() if kind not in used}
        self._others = others
        self._steps: dict[str, Power | None] = {}

    def of(self, classes: Iterable[bytes]) -> Power | None:
        """The worst of what these classes newly reach for, if anything."""
        after = list(classes)
        new = _union(after) - self._known
        if equality := next(filter(None, map(self._equality, map(family, after))), ""):
            return Power("equality of its own", equality, True)
        if not (new.types or new.members or new.texts or new.names):
            return None
        return self._worst(new) or self._through(new.types) or _first_of(self._apart, new, False)

    def swallow(self, classes: Iterable[bytes]) -> bool:
        """Whether these classes newly catch errors: what another broke may look like their failure then."""
        known = self._known.types
        return any(_CAUGHT.fullmatch(name) for each in classes for name in references(each).types - known)

    def _equality(self, made: Family) -> str:
        """What newly says of an edit's class, or of what it orders, that it equals something, if anything."""
        before = self._families.get(made.name)
        if _EQUALS in made.methods and (
            before is None or made.methods[_EQUALS] == _ALWAYS != before.methods.get(_EQUALS)
        ):
            return f"equals in {made.name}"
        asked = next(filter(_ASKED.match, made.methods), "")
        if before is None and asked and any(map(_COMPARED.fullmatch, made.supertypes)):
            return f"{asked.partition(':')[0]} in {made.name}"
        known = before.methods.items() if before else ()
        blind = (m for m in made.methods.items() if m[1] == _ZERO and m not in known and _ORDERS.match(m[0]))
        return next((f"{name.partition(':')[0]} in {made.name}" for name, _ in blind), "")

    def _worst(self, new: References) -> Power | None:
        for name in sorted(new.names):
            if _HARNESS.search(name):
                return Power("the harness", name[:80], True)
            if "the test framework" in self._kinds and _FRAMEWORK.match(name):
                return Power("the test framework", name[1:80].rstrip(";").replace("/", "."), True)
        for text in sorted(new.texts):
            if _TEXTS.search(text):
                return Power("a name of the system", text[:80], True)
        if _first(_PROPERTY, new) and not any(map(_PLAIN.fullmatch, new.texts)):
            return Power("how it was started", "a property whose name is made at run time", True)
        if "finalize" in new.names:
            return Power("finalizers", "finalize", True)
        return _first_of(_exact, new, True) or _first_of(self._kinds, new, True)

    def _through(self, types: Iterable[str]) -> Power | None:
        """What the newly used classes of project and libraries can do that more than harms."""
        for name in sorted(types):
            if name not in self._steps:
                content = None if name.startswith(("java/", "javax/")) else self._others(name)
                power = _first_of(_exact, references(content), True) if content else None
                self._steps[name] = power._replace(name=f"{power.name} in {name}") if power else None
            if power := self._steps[name]:
                return power
        return None


def _union(classes: Iterable[bytes]) -> References:
    """What classes refer to; what one of them inherits from others is theirs, too."""
    united = References()
    parents: dict[str, tuple[str, ...]] = {}
    declared: set[str] = set()
    for content in classes:
        united |= references(content)
        made = family(content)
        parents[made.name] = made.supertypes
        declared |= {f"{made.name}.{method}" for method in made.methods}
    inherited = {theirs for m in united.members - declared for theirs in _inherited(m, parents)}
    return united | References(members=frozenset(inherited))


def _inherited(member: str, parents: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The same member of those that its owner inherits from, as far as these classes tell."""
    owner, _, rest = member.partition(".")
    left = [owner]
    while left:
        for parent in parents.get(left.pop(), ()):
            if parent != "java/lang/Object":
                yield f"{parent}.{rest}"
                left.append(parent)


def _first_of(kinds: Mapping[str, re.Pattern[str]], named: References, suspicious: bool) -> Power | None:
    for kind, pattern in kinds.items():
        if word := _first(pattern, named):
            return Power(kind, word.partition(":")[0].replace("/", "."), suspicious)
    return None


def _first(pattern: re.Pattern[str], named: References) -> str:
    return next((word for word in sorted(named.members | named.types) if pattern.match(word)), "")

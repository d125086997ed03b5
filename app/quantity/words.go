package quantity

// Words and signs that readers use, and what the grammar of Parse has for them.

// about are words that say that a number is not exact, which Parse need not know.
const about = " about approximately approx around roughly nearly circa ca c etwa ungefähr rund environ unos " +
	"примерно около приблизительно порядка = ~ ≈ ≃ ∼ ≅ "

// folds stand behind a factor: 5 times, 2x, 10-fold. The letter and the sign may also stand before it.
const folds = " times x × fold раз раза "

// fractions are signs for fractions, each before its value.
const fractions = "½0.5 ¼0.25 ¾0.75 ⅛0.125 ⅜0.375 ⅝0.625 ⅞0.875 ⅕0.2 ⅖0.4 ⅗0.6 ⅘0.8 ⅒0.1 " +
	"⅓0.3333333333333333 ⅔0.6666666666666666 ⅙0.16666666666666666 ⅚0.8333333333333334 "

// synonyms are words that readers use, and what the grammar has for them: units, magnitudes (e6), and words for
// numbers and operators.
const synonyms = " thousand:e3 thousands:e3 million:e6 millions:e6 mio:e6 mln:e6 mn:e6 milliards:e9 milliard:e9 " +
	"milliarde:e9 milliarden:e9 mrd:e9 billion:e9 billions:e9 bn:e9 trillion:e12 trillions:e12 hundred:e2 lakh:e5 crore:e7 " +
	"mille:e3 tausend:e3 тыс:e3 тысяч:e3 тысячи:e3 тысяча:e3 млн:e6 миллион:e6 миллиона:e6 миллионов:e6 млрд:e9 " +
	"миллиард:e9 миллиарда:e9 миллиардов:e9 трлн:e12 триллион:e12 триллиона:e12 триллионов:e12 " +
	"percent:% percents:% pct:% prozent:% процент:% процента:% процентов:% " +
	"pro:/ в:/ на:/ за:/ times:* раз:* plus:+ minus:- плюс:+ минус:- over:/ " +
	"a:1 an:1 one:1 half:0.5 twice:2 double:2 two:2 three:3 four:4 five:5 six:6 seven:7 eight:8 nine:9 ten:10 " +
	"dozen:12 " +
	"один:1 одна:1 два:2 две:2 три:3 полтора:1.5 d:day msec:ms usec:us nsec:ns sekunde:s sekunden:s stunde:h " +
	"stunden:h tag:day tage:day heure:h heures:h jour:day jours:day dollars:$ euro:? euros:? €:? руб:? " +
	"с:s сек:s секунд:s секунда:s секунды:s секунду:s мин:min минут:min минута:min минуты:min минуту:min ч:h час:h " +
	"часа:h часов:h день:day дня:day дней:day сут:day сутки:day суток:day нед:week неделя:week недели:week недель:week " +
	"неделю:week год:year года:year лет:year байт:byte байта:byte байтов:byte бит:bit бита:bit битов:bit вт:W дж:J гц:Hz " +
	"флоп:FLOP флопс:FLOPS оп:OP доллар:$ доллара:$ долларов:$ токен:token токена:token токенов:token токены:token " +
	"чип:chip чипа:chip чипов:chip чипы:chip параметр:parameter параметра:parameter параметров:parameter " +
	"слой:layer слоя:layer слоёв:layer слоев:layer запрос:request запроса:request запросов:request шаг:step шага:step " +
	"шагов:step узел:node узла:node узлов:node "

// rangeWords stand between the ends of a range.
const rangeWords = " to till until bis до and or oder или "

// longPrefixes are prefixes written out, and those of other alphabets.
const longPrefixes = "kibi:Ki mebi:Mi gibi:Gi tebi:Ti kilo:k mega:M giga:G tera:T peta:P exa:E milli:m micro:u " +
	"nano:n pico:p кило:k мега:M гига:G тера:T пета:P милли:m микро:u нано:n мк:u к:k м:M г:G т:T п:P э:E н:n ки:Ki " +
	"ми:Mi ги:Gi ти:Ti "
